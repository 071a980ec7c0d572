/*
 * The alternating bit protocol over channels that keep every message.
 *
 * expect: holds
 * property: safety
 * stored: 52
 * ltl delivery: holds
 */
mtype = { data, ack };

chan down = [1] of { mtype, byte, bit };
chan up = [1] of { mtype, bit };

#define MAX	4		/* the messages are numbered modulo MAX */

active proctype Sender()
{
	byte m;
	bit b, r;

	do
	:: down!data(m, b);
	   up?ack(r);
	   if
	   :: r == b ->
		m = (m + 1) % MAX;
		b = 1 - b
	   :: else	/* send it again */
	   fi
	od
}

active proctype Receiver()
{
	byte m, wanted;
	bit b, expected;

	do
	:: down?data(m, b);
	   if
	   :: b == expected ->
		assert(m == wanted);
fresh:		wanted = (wanted + 1) % MAX;
		expected = 1 - expected
	   :: else
	   fi;
	   up!ack(b)
	od
}

ltl delivery { []<> Receiver@fresh }
