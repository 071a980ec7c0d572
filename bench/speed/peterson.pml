/*
 * Peterson's mutual exclusion for N users (the filter lock), each of which counts its visits.
 *
 * A family for `cargo xtask bench`; N is the number of users, LAPS how far each one counts before it starts again.
 */
#ifndef N
#define N 3
#endif
#ifndef LAPS
#define LAPS 2
#endif

byte room[N];
byte last[N];
byte inside;

active [N] proctype User()
{
	byte lap, j, k;

	do
	:: j = 1;
	   do
	   :: j < N ->
		room[_pid] = j;
		last[j] = _pid;
		k = 0;
		do
		:: k < N ->
			(k == _pid || room[k] < j || last[j] != _pid);
			k++
		:: else -> break
		od;
		j++
	   :: else -> break
	   od;
	   inside++;
	   assert(inside == 1 && lap < LAPS);
	   inside--;
	   d_step { lap = (lap + 1) % LAPS; j = 0; k = 0 };
	   room[_pid] = 0
	od
}
