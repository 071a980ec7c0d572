/*
 * Two groups of tasks that pass work back and forth: a task sleeps until the
 * other group has signalled something new, and then signals back.  Signals are
 * counted modulo ROUNDS.
 * The bug: looking at the count and going to sleep are two steps.  A signal
 * that comes in between wakes nobody, and in the end everybody sleeps.
 *
 * expect: violated
 * property: deadlock
 * shortest: 5
 * stored: 123
 * define: FIRST=1
 * define: SECOND=1
 * define: ROUNDS=3
 */
#ifndef FIRST
#define FIRST 1
#endif
#ifndef SECOND
#define SECOND 1
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

byte signals[2];
bool woken[2];

inline signal(group) {
	d_step { signals[group] = (signals[group] + 1) % ROUNDS; woken[group] = true }
}

inline await(group) {
	if
	:: signals[group] == seen ->
		woken[group] = false;
		woken[group]
	:: signals[group] != seen
	fi;
	seen = signals[group]
}

active [FIRST] proctype First()
{
	byte seen;

	do
	:: await(0);
	   signal(1)
	od
}

active [SECOND] proctype Second()
{
	byte seen;

	do
	:: signal(0);
	   await(1)
	od
}
