/*
 * A watchdog that restarts a server which has stopped answering.
 * The bug: the client, too, waits for nothing to happen before it repeats its
 * request, and only one of the two timeouts can win; when the client is first
 * the request is served twice.
 *
 * expect: violated
 * property: assertion
 * shortest: 17
 * stored: 45
 */
mtype = { request, answer };

chan to_server = [2] of { mtype, byte };
chan to_client = [2] of { mtype, byte };

bool hung;
byte served;

active proctype Server()
{
	byte n;

end:	do
	:: to_server?request(n) ->
		if
		:: hung = true;
		   !hung		/* until the watchdog comes */
		:: skip
		fi;
		served++;
		assert(served == 1);
		to_client!answer(n)
	od
}

active proctype Watchdog()
{
end:	do
	:: timeout && hung -> hung = false
	od
}

active proctype Client()
{
	byte repeats;

	to_server!request(repeats);
	do
	:: to_client?answer(_) -> break
	:: timeout ->
		if
		:: repeats < 1 ->
			repeats++;
			to_server!request(repeats)
		:: else
		fi
	od
}
