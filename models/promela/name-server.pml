/*
 * A name server hands out the channels of two services; clients send their own
 * reply channel along with the request.  Channels travel in messages, live in
 * records and arrays, and are compared.
 * The bug: the reply of the second service goes to the channel of the client it
 * served before.
 *
 * expect: violated
 * property: deadlock
 * shortest: 26
 * stored: 868
 */
typedef Entry {
	byte name;
	chan service
};

Entry entry[2];
chan lookup = [0] of { byte, chan };
chan service[2] = [0] of { chan, byte };

active proctype NameServer()
{
	byte name;
	chan reply;

	entry[0].name = 7;
	entry[0].service = service[0];
	entry[1].name = 9;
	entry[1].service = service[1];
end:	do
	:: lookup?name, reply ->
		if
		:: name == entry[0].name -> reply!entry[0].service, 0
		:: name == entry[1].name -> reply!entry[1].service, 0
		fi
	od
}

active [2] proctype Service()
{
	chan reply, last;
	byte n;

	last = lookup;			/* nobody yet */
end:	do
	:: service[_pid - 1]?reply, n ->
		if
		:: _pid == 2 && last != lookup -> last!reply, n + 1
		:: else -> reply!reply, n + 1
		fi;
		last = reply
	od
}

active [2] proctype Client()
{
	chan private = [0] of { chan, byte };
	chan found, echo;
	byte n;

	if
	:: lookup!7, private
	:: lookup!9, private
	fi;
	private?found, _;
	found!private, _pid;
	private?echo, n;
	assert(echo == private && n == _pid + 1);
end:	false			/* stays, and so does its channel */
}
