/*
 * Optical telegraph towers in a ring.  Every tower has an operator who sends to
 * the next tower, one who receives from the previous one, and a single mast,
 * which either of them must hold while a message passes.
 * The bug: the sender takes the mast before the other side agrees, so all
 * towers can hold their own mast and call for attention at the next one.
 * The labels `stuck` are where everybody waits then.
 *
 * expect: violated
 * property: deadlock
 * shortest: 23
 * stored: 535
 * define: N=3
 */
#ifndef N
#define N 3
#endif

mtype = { attention, ready, message };

chan mast[N] = [1] of { bit };		/* empty: free */
chan view[N] = [0] of { mtype };	/* seen by tower i */

proctype Sender(byte i)
{
	byte next = (i + 1) % N;

	do
	:: mast[i]!1;
	   view[next]!attention;
stuck:	   view[next]?ready;
	   view[next]!message;
	   mast[i]?1
	od
}

proctype Receiver(byte i)
{
	do
	:: view[i]?attention;
stuck:	   mast[i]!1;
	   view[i]!ready;
	   view[i]?message;
	   mast[i]?1
	od
}

init {
	byte i;

	for (i : 0 .. N - 1) {
		run Sender(i);
		run Receiver(i)
	}
}
