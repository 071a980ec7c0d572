/*
 * Dining philosophers around a table of N forks.
 * The bug: everybody reaches for the left fork first, so all of them can end
 * up holding one fork and waiting for the neighbour's.
 *
 * expect: violated
 * property: deadlock
 * shortest: 8
 * stored: 80
 * define: N=4
 */
#ifndef N
#define N 4
#endif

#define LEFT	_pid
#define RIGHT	((_pid + 1) % N)

bool taken[N];

active [N] proctype Philosopher()
{
	do
	:: atomic { !taken[LEFT] -> taken[LEFT] = true };
	   atomic { !taken[RIGHT] -> taken[RIGHT] = true };
	   /* eat */
	   taken[LEFT] = false;
	   taken[RIGHT] = false
	od
}
