/*
 * Booking two seats in one atomic sequence.
 * The bug: the sequence blocks in its middle when the second seat is taken, and
 * a blocked atomic sequence lets the others in.
 *
 * expect: violated
 * property: assertion
 * shortest: 12
 * stored: 24
 */
byte seats[2] = 1;
byte holding;

proctype Group(byte first, second)
{
	do
	:: atomic {
		seats[first] > 0;
		seats[first]--;
		holding++;
		seats[second] > 0;	/* may have to wait here */
		assert(holding == 1);
		seats[second]--
	   };
	   seats[first]++;
	   seats[second]++;
	   holding--
	od
}

proctype Single()
{
	do
	:: atomic { seats[1] > 0 -> seats[1]-- };
	   seats[1]++
	od
}

init {
	atomic { run Group(0, 1); run Group(1, 0); run Single() }
}
