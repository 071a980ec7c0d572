/*
 * Dining philosophers: everybody takes the left fork first, except the last one.
 *
 * A family for `cargo xtask bench`; N is the number of philosophers.
 */
#ifndef N
#define N 5
#endif

bool taken[N];
byte eating;

active [N] proctype Philosopher()
{
	byte first = (_pid < N - 1 -> _pid : 0);
	byte second = (_pid < N - 1 -> _pid + 1 : N - 1);

	do
	:: atomic { !taken[first] -> taken[first] = true };
	   atomic { !taken[second] -> taken[second] = true };
	   eating++;
	   assert(eating <= N / 2);
	   eating--;
	   taken[second] = false;
	   taken[first] = false
	od
}
