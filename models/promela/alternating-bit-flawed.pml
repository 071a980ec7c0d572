/*
 * The alternating bit protocol over a channel that loses acknowledgements.
 * The bug: the receiver acknowledges with the right bit but does not compare
 * it with the one it expects, so a repeated message is taken for a new one.
 *
 * expect: violated
 * property: assertion
 * shortest: 9
 * stored: 198
 */
mtype = { data, ack };

chan down = [1] of { mtype, byte, bit };
chan up = [1] of { mtype, bit };

#define MAX	3		/* the messages are numbered modulo MAX */

active proctype Sender()
{
	byte m;
	bit b;

	do
	:: down!data(m, b);
	   if
	   :: up?ack(eval(b)) ->
		m = (m + 1) % MAX;
		b = !b
	   :: timeout		/* send it again */
	   fi
	od
}

active proctype Receiver()
{
	byte m, wanted;
	bit b;

	do
	:: down?data(m, b);
	   assert(m == wanted);
	   wanted = (wanted + 1) % MAX;
	   if
	   :: up!ack(b)
	   :: skip		/* the acknowledgement is lost */
	   fi
	od
}
