/*
 * A sliding window of two frames with sequence numbers modulo M, over lines
 * that lose frames; the sender goes back to the first frame not acknowledged.
 * The bug: with M = 2 an old frame cannot be told from a new one (three numbers
 * are needed for a window of two).
 *
 * expect: violated
 * property: assertion
 * shortest: 27
 * stored: 1287
 * define: M=2
 */
#ifndef M
#define M 2
#endif
#define WINDOW	2
#define MAX	4			/* what is sent, modulo MAX */

chan frames = [2] of { byte, byte };	/* sequence number, contents */
chan acks = [2] of { byte };		/* number of the next frame wanted */

active proctype Sender()
{
	byte base, sent, n;		/* sent: frames since base */
	byte contents;			/* of the frame at base */

	do
	:: sent < WINDOW ->
		frames!(base + sent) % M, (contents + sent) % MAX;
		sent++
	:: acks?n ->
		do
		:: sent > 0 && n != base ->
			base = (base + 1) % M;
			contents = (contents + 1) % MAX;
			sent--
		:: else -> break
		od
	:: timeout -> sent = 0		/* go back */
	od
}

active proctype Receiver()
{
	byte wanted, contents, expected, n;

	do
	:: frames?n, contents ->
		if
		:: n == wanted ->
			assert(contents == expected);
			wanted = (wanted + 1) % M;
			expected = (expected + 1) % MAX
		:: else
		fi;
		acks!wanted
	:: frames?_, _			/* lost */
	:: acks?_			/* lost */
	od
}
