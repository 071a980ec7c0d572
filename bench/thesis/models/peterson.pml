/*
 * Peterson's algorithm for N processes with one waiting room too few, so that
 * two processes get through together.
 * LOW_PEP=0: any two of the N processes err.  LOW_PEP=1: only processes 0 and 1
 * count, whatever the others do, as in chapter 7 of Bui's thesis.
 */
#ifndef N
#define N 3
#endif
#ifndef LOW_PEP
#define LOW_PEP 0
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
#if LOW_PEP
	if
	:: _pid < 2 ->
#endif
	inside++;
	assert(inside == 1);
	inside--
#if LOW_PEP
	:: else
	fi
#endif
	;
	room[_pid] = 0;
	goto again
}
