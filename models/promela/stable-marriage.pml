/*
 * The stable marriage problem, each suitor and each lady a process (after
 * McVitie and Wilson's algorithm).  A suitor proposes down his list until all
 * ladies are engaged; a lady keeps the better of two suitors.
 * The bug: a lady who prefers the suitor she has says nothing to the new one,
 * who waits for a letter that never comes.
 * The labels `stuck` are where everybody waits then.
 *
 * expect: violated
 * property: deadlock
 * shortest: 23
 * stored: 277
 * define: N=3
 */
#ifndef N
#define N 3
#endif

chan door[N] = [0] of { byte };		/* proposals to a lady */
chan letter[N] = [0] of { byte };	/* refusals to a suitor */
byte engaged;

/* the suitor's place in the lady's list: 0 is best */
#define RANK(lady, suitor)	((suitor + 2 * lady) % N)

proctype Suitor(byte me)
{
	byte lady = (me * me) % N;	/* the head of his list */

	do
	:: door[lady]!me;
stuck:	   if
	   :: letter[me]?eval(lady) -> lady = (lady + 1) % N
	   :: engaged == N -> break
	   fi
	od
}

proctype Lady(byte me)
{
	byte suitor, best;

stuck:	door[me]?best;
	engaged++;
end:	do
	:: door[me]?suitor ->
		if
		:: RANK(me, suitor) < RANK(me, best) ->
			letter[best]!me;
			best = suitor
		:: else		/* forgets letter[suitor]!me */
		fi
	od
}

init {
	byte i;

	for (i : 0 .. N - 1) {
		run Suitor(i);
		run Lady(i)
	}
}
