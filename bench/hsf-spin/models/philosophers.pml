/*
 * Dining philosophers as in table 7 of Edelkamp, Leue and Lluch-Lafuente: an
 * initial process starts all of them in one atomic sequence, and taking a fork
 * is a single step, so that each step towards the deadlock stops one process.
 * The labels `stuck` are the dangerous states of a user who knows the deadlock.
 *
 * expect: violated
 * property: deadlock
 * shortest: 19
 * stored: 119
 * define: N=4
 */
#ifndef N
#define N 4
#endif

chan fork[N] = [1] of { bit };		/* empty: it lies on the table */

proctype Philosopher(byte left, right)
{
	do
	:: fork[left]!1;
stuck:	   fork[right]!1;
	   /* eat */
	   fork[right]?1;
	   fork[left]?1
	od
}

init {
	byte i;

	atomic {
		do
		:: i < N -> run Philosopher(i, (i + 1) % N); i++
		:: i == N -> break
		od
	}
}
