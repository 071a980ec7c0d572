/*
 * A planning puzzle: a lift with CAPACITY seats brings passengers to their
 * floors.  Passenger i waits at floor i and wants to go as far above as there
 * are passengers; passengers may leave the lift anywhere.
 * The assertion says that there is no plan.
 *
 * expect: violated
 * property: assertion
 * shortest: 21
 * stored: 98
 * define: PASSENGERS=2
 * define: CAPACITY=1
 */
#ifndef PASSENGERS
#define PASSENGERS 2		/* at most 6 */
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif
#define FLOORS	(2 * PASSENGERS)
#define INSIDE	FLOORS

byte lift;
byte riders;
byte at[PASSENGERS];		/* a floor, or INSIDE */

#define ARRIVED(i)	(at[i] == i + PASSENGERS)

#if PASSENGERS == 1
#define SOLVED	ARRIVED(0)
#elif PASSENGERS == 2
#define SOLVED	(ARRIVED(0) && ARRIVED(1))
#elif PASSENGERS == 3
#define SOLVED	(ARRIVED(0) && ARRIVED(1) && ARRIVED(2))
#elif PASSENGERS == 4
#define SOLVED	(ARRIVED(0) && ARRIVED(1) && ARRIVED(2) && ARRIVED(3))
#elif PASSENGERS == 5
#define SOLVED	(ARRIVED(0) && ARRIVED(1) && ARRIVED(2) && ARRIVED(3) && ARRIVED(4))
#else
#define SOLVED	(ARRIVED(0) && ARRIVED(1) && ARRIVED(2) && ARRIVED(3) && ARRIVED(4) && ARRIVED(5))
#endif

proctype Passenger(byte me)
{
	do
	:: d_step { at[me] == lift && riders < CAPACITY -> at[me] = INSIDE; riders++ }
	:: d_step { at[me] == INSIDE -> at[me] = lift; riders-- }
	od
}

init {
	byte i;

	d_step {
		for (i : 0 .. PASSENGERS - 1) {
			at[i] = i
		}
	};
	atomic {
		for (i : 0 .. PASSENGERS - 1) {
			run Passenger(i)
		};
		i = 0
	};

	do
	:: d_step { lift < FLOORS - 1 -> lift++ }
	:: d_step { lift > 0 -> lift-- }
	:: assert(!SOLVED)
	od
}
