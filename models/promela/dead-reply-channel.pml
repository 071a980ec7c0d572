/*
 * A client that does not wait for its answer.
 * The bug: a channel that a process declares dies with the process, and the
 * server sends its answer to it nevertheless.
 *
 * expect: violated
 * property: fault
 * shortest: 5
 * stored: -
 */
chan requests = [1] of { chan, byte };

active proctype Server()
{
	chan reply;
	byte n;

end:	do
	:: requests?reply, n -> reply!n + 1
	od
}

active proctype Client()
{
	chan mine = [1] of { byte };

	requests!mine, 1;
	if
	:: mine?2
	:: skip			/* gone before the answer */
	fi
}
