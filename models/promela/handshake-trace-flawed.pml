/*
 * A client that gives up and calls again, under a trace that wants every call
 * answered before the next one.
 * The bug: nobody waits for the answer to the first call.
 *
 * expect: violated
 * property: trace
 * shortest: 4
 * stored: 22
 */
mtype = { syn, syn_ack };

chan up = [2] of { mtype, byte };
chan down = [1] of { mtype };

active proctype Client()
{
	byte tries;

	up!syn, 0;
end:	do
	:: down?syn_ack -> break
	:: tries < 1 ->
		tries++;
		up!syn, tries		/* impatient */
	od
}

active proctype Server()
{
end:	do
	:: up?syn, _ -> down!syn_ack
	od
}

trace {
end:	do
	:: up!syn, _;
	   down!syn_ack
	od
}
