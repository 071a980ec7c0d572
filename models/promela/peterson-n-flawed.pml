/*
 * Peterson's algorithm for N processes: N - 1 waiting rooms, one of the
 * processes stays behind in each.
 * The bug: the climb stops one room early, so two processes get through.
 *
 * expect: violated
 * property: assertion
 * shortest: 41
 * stored: 14386
 * define: N=3
 */
#ifndef N
#define N 3
#endif

#define ROOMS	(N - 2)		/* should be N - 1 */

byte room[N];			/* 0: not interested */
byte last[N];			/* who came last into a room */
byte inside;

active [N] proctype User()
{
	byte j, k;

again:	for (j : 1 .. ROOMS) {
		room[_pid] = j;
		last[j] = _pid;
		for (k : 0 .. N - 1) {
			(k == _pid || room[k] < j || last[j] != _pid)
		}
	}
	inside++;
	assert(inside == 1);
	inside--;
	room[_pid] = 0;
	goto again
}
