/*
 * Passengers of a shuttle bus and its drivers around a monitor: passengers take
 * a seat when there is one, a driver empties the bus when all seats are taken.
 * The bug: who wakes up does not look again whether what was waited for is
 * still true, and somebody may sit down on a bus that is full again.
 *
 * expect: violated
 * property: assertion
 * shortest: 29
 * stored: 533
 * define: DRIVERS=1
 * define: PASSENGERS=3
 * define: SEATS=1
 */
#ifndef DRIVERS
#define DRIVERS 1
#endif
#ifndef PASSENGERS
#define PASSENGERS 3
#endif
#ifndef SEATS
#define SEATS 1
#endif
#define THREADS	(DRIVERS + PASSENGERS)

bool locked;
byte taken;			/* seats */
bool asleep[THREADS];

inline enter() { atomic { !locked -> locked = true } }
inline leave() { locked = false }

inline wait() {
	atomic { asleep[_pid] = true; leave() };
	atomic { (!asleep[_pid] && !locked) -> locked = true }
}

inline wake_all() {
	d_step {
		for (i : 0 .. THREADS - 1) {
			asleep[i] = false
		};
		i = 0
	}
}

active [DRIVERS] proctype Driver()
{
	byte i;

	do
	:: enter();
	   if
	   :: taken < SEATS -> wait()
	   :: else
	   fi;
	   taken = 0;
	   wake_all();
	   leave()
	od
}

active [PASSENGERS] proctype Passenger()
{
	byte i;

	do
	:: enter();
	   if
	   :: taken == SEATS -> wait()	/* should be a loop */
	   :: else
	   fi;
	   if
	   :: taken < SEATS -> taken++
	   :: else -> assert(false)	/* no seat */
	   fi;
	   wake_all();
	   leave()
	od
}
