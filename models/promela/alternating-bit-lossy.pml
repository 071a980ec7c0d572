/*
 * The alternating bit protocol over channels that lose messages and
 * acknowledgements.  The sender repeats a message when nothing else can happen.
 *
 * expect: holds
 * property: safety
 * stored: 117
 * ltl delivery: violated
 * ltl delivery_if_kept: holds
 */
mtype = { data, ack };

chan down = [1] of { mtype, byte, bit };
chan up = [1] of { mtype, bit };

#define MAX	4		/* the messages are numbered modulo MAX */

bool lost;			/* the last event was a loss */

active proctype Sender()
{
	byte m;
	bit b;

	down!data(m, b);
	do
	:: up?ack(eval(b)) ->
		m = (m + 1) % MAX;
		b = 1 - b;
		down!data(m, b)
	:: up?ack(eval(1 - b))
	:: timeout ->
		down!data(m, b)
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
		expected = 1 - expected;
		lost = false
	   :: else
	   fi;
	   up!ack(b)
	od
}

active proctype Line()
{
	do
	:: atomic { down?data(_, _) -> lost = true }
	:: atomic { up?ack(_) -> lost = true }
	od
}

ltl delivery { []<> Receiver@fresh }
ltl delivery_if_kept { <>[] !lost -> []<> Receiver@fresh }
