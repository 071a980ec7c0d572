/*
 * Mutual exclusion by flags and a note of who asked last, with the note written
 * before the flag goes up, so that two processes can be inside together.
 * LOW_PEP=0: any two of the N processes err.  LOW_PEP=1: only processes 0 and 1
 * count, whatever the others do, as in chapter 6 of Bui's thesis.
 */
#ifndef N
#define N 3
#endif
#ifndef LOW_PEP
#define LOW_PEP 0
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
	   raised--
	od
}
