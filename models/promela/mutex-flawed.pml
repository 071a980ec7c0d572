/*
 * Mutual exclusion by flags and a shared note of who asked last: a process may
 * enter when its flag is the only one up or when somebody asked after it.
 * The bug: the note is written before the flag goes up instead of after it, so
 * p notes, q notes, q raises and enters, p raises and enters.  (The flaw is the
 * one of the mutual exclusion study in Bui's thesis.)
 *
 * expect: violated
 * property: assertion
 * shortest: 9
 * stored: 1029
 * define: N=3
 */
#ifndef N
#define N 3
#endif

byte raised;		/* number of flags that are up */
byte last;
byte inside;

active [N] proctype User()
{
	do
	:: last = _pid;
	   raised++;
	   (raised == 1 || last != _pid);
	   inside++;
	   assert(inside == 1);
	   inside--;
	   raised--
	od
}
