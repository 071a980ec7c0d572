/*
 * A monitor around a bounded buffer, with one condition for producers and
 * consumers alike, in the manner of a careless Java program.
 * The bug: it wakes a single waiter, which may be of the wrong sort and goes
 * back to sleep; then everybody sleeps.
 *
 * expect: violated
 * property: deadlock
 * shortest: 44
 * stored: 2134
 * define: PRODUCERS=1
 * define: CONSUMERS=2
 * define: SLOTS=1
 */
#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef SLOTS
#define SLOTS 1
#endif
#define THREADS	(PRODUCERS + CONSUMERS)

bool locked;
byte items;
chan sleepers = [THREADS] of { pid };
bool awake[THREADS];

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

inline wait() {
	atomic { awake[_pid] = false; sleepers!_pid; unlock() };
	atomic { (awake[_pid] && !locked) -> locked = true }
}

inline notify() {
	if
	:: sleepers?who -> awake[who] = true
	:: empty(sleepers)
	fi
}

active [PRODUCERS] proctype Producer()
{
	pid who;

	do
	:: lock();
	   do
	   :: items == SLOTS -> wait()
	   :: else -> break
	   od;
	   items++;
	   notify();
	   unlock()
	od
}

active [CONSUMERS] proctype Consumer()
{
	pid who;

	do
	:: lock();
	   do
	   :: items == 0 -> wait()
	   :: else -> break
	   od;
	   items--;
	   notify();
	   unlock()
	od
}
