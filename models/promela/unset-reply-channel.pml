/*
 * A server that answers on the channel a request has named.
 * The bug: on a timer it also sends a heartbeat there, even before the first
 * request, when the channel variable names no channel.
 *
 * expect: violated
 * property: fault
 * shortest: 2
 * stored: -
 */
chan requests = [0] of { chan, byte };

active proctype Server()
{
	chan reply;
	byte n;

end:	do
	:: requests?reply, n -> reply!n
	:: n == 0 -> reply!0		/* the heartbeat */
	od
}

active proctype Client()
{
	chan mine = [1] of { byte };

	requests!mine, 1;
	mine?1
}
