/*
 * Dining philosophers with forks that are channels of one slot.
 * No deadlock: the last philosopher picks up the right fork first.  One
 * philosopher may still starve, weak fairness or not.
 *
 * expect: holds
 * property: safety
 * stored: 262
 * ltl some_meal: holds
 * ltl own_meal: violated
 * define: N=3
 */
#ifndef N
#define N 3
#endif

chan fork[N] = [1] of { bit };
byte eating;

proctype Philosopher(byte first, second)
{
	do
	:: fork[first]?_;
	   fork[second]?_;
	   eating++;
meal:	   assert(eating <= N / 2);
	   eating--;
	   fork[first]!0;
	   fork[second]!0
	od
}

init {
	byte i;

	for (i : 0 .. N - 1) {
		fork[i]!0;
		if
		:: i < N - 1 -> run Philosopher(i, i + 1)
		:: else -> run Philosopher(0, i)
		fi
	}
}

ltl some_meal { always eventually (eating > 0) }
ltl own_meal { always eventually (Philosopher[1]@meal) }
