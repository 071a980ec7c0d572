/*
 * Groups book two seats each in one atomic sequence; the last seat is in demand.
 * The bug: the sequence blocks in its middle when the second seat is taken, and
 * a blocked atomic sequence lets the others in.
 *
 * expect: violated
 * property: assertion
 * shortest: 14
 * stored: 31
 */
byte seats[3] = 1;
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
	:: atomic { seats[2] > 0 -> seats[2]-- };
	   seats[2]++
	od
}

init {
	atomic { run Group(0, 2); run Group(1, 2); run Single() }
}
