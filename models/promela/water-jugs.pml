/*
 * Measuring four litres with a jug of five and a jug of three litres.  The
 * failing assertion is the solution.
 *
 * expect: violated
 * property: assertion
 * shortest: 7
 * stored: 48
 */
#define BIG	5
#define SMALL	3
#define min(a, b)	((a) < (b) -> (a) : (b))

byte big, small;

active proctype Cook()
{
	byte poured;

	do
	:: big = BIG
	:: small = SMALL
	:: big = 0
	:: small = 0
	:: d_step {
		poured = min(big, SMALL - small);
		big = big - poured;
		small = small + poured;
		poured = 0
	   }
	:: d_step {
		poured = min(small, BIG - big);
		small = small - poured;
		big = big + poured;
		poured = 0
	   }
	od
}

active proctype Guest()
{
	assert(big != 4)
}
