/*
 * Lynch's protocol for two terminals that both send data; every message also
 * says whether the previous one arrived undamaged.
 * The bug, known since the protocol was published: a damaged acknowledgement
 * makes the other side repeat data that had arrived, and the repeated data is
 * taken for new.
 *
 * expect: violated
 * property: assertion
 * shortest: 13
 * stored: 10755
 */
#define MAX	4		/* data is numbered modulo MAX */

mtype = { ack, nak, err };

chan line[2] = [1] of { mtype, byte };

inline send(kind) {
	if
	:: out!kind(mine)
	:: out!err(0)		/* damaged on the line */
	fi
}

inline take() {
	assert(theirs == wanted);
	wanted = (wanted + 1) % MAX
}

proctype Terminal(chan in, out)
{
	byte mine, theirs, wanted;

	do
	:: in?ack(theirs) ->
		take();
		mine = (mine + 1) % MAX;
		send(ack)
	:: in?nak(theirs) ->
		take();
		send(ack)
	:: in?err(_) ->
		send(nak)
	od
}

init {
	run Terminal(line[0], line[1]);
	run Terminal(line[1], line[0]);
	line[0]!err(0)
}
