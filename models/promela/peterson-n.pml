/*
 * Peterson's algorithm for N processes, with all of its N - 1 waiting rooms.
 *
 * expect: holds
 * property: safety
 * stored: 51596
 * define: N=3
 */
#ifndef N
#define N 3
#endif

byte room[N];			/* 0: not interested */
byte last[N];			/* who came last into a room */
byte inside;

active [N] proctype User()
{
	byte j, k;

	do
	:: for (j : 1 .. N - 1) {
		room[_pid] = j;
		last[j] = _pid;
		for (k : 0 .. N - 1) {
			(k == _pid || room[k] < j || last[j] != _pid)
		}
	   }
	   inside++;
	   assert(inside == 1);
	   inside--;
	   room[_pid] = 0
	od
}
