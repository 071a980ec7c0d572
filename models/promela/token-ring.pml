/*
 * A token ring: a station may send only while it holds the token, sends at
 * most one frame, and passes the token on.
 *
 * expect: holds
 * property: safety
 * stored: 119
 * ltl one_sender: holds
 * ltl token_returns: holds
 * ltl everyone_sends: violated
 * define: N=3
 */
#ifndef N
#define N 3
#endif

mtype = { token, frame };

chan link[N] = [1] of { mtype, byte };
byte sending, holder;

proctype Station(byte me; chan in, out)
{
	byte from;

	do
	:: in?token(_) ->
		holder = me;
		if
		:: sending++;
		   assert(sending == 1);
send:		   out!frame(me);
		   in?frame(from);	/* it has gone round */
		   assert(from == me);
		   sending--
		:: skip			/* nothing to send */
		fi;
		out!token(0)
	:: in?frame(from) ->
		out!frame(from)
	od
}

init {
	byte i;

	for (i : 0 .. N - 1) {
		run Station(i, link[i], link[(i + 1) % N])
	}
	link[0]!token(0)
}

ltl one_sender { [] (sending <= 1) }
ltl token_returns { []<> (holder == 0) && []<> (holder == N - 1) }
ltl everyone_sends { []<> (Station[1]@send) }
