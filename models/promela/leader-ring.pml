/*
 * Leader election in a one-way ring, after Chang and Roberts: a node passes on
 * only the identities larger than its own, and the one that comes home has won.
 *
 * expect: holds
 * property: safety
 * stored: 1699
 * ltl elected: holds
 * ltl one_leader: holds
 * ltl at_most_one: holds
 * define: N=4
 */
#ifndef N
#define N 4
#endif

mtype = { candidate, winner };

chan link[N] = [N] of { mtype, byte };
byte leaders;

proctype Node(byte id; chan in, out)
{
	byte seen;

	xr in;
	xs out;
	out!candidate(id);
	do
	:: in?candidate(seen) ->
		if
		:: seen > id -> out!candidate(seen)
		:: seen < id			/* swallowed */
		:: seen == id ->
			leaders++;
			out!winner(id)
		fi
	:: in?winner(seen) ->
		assert(seen == N);
		if
		:: seen != id -> out!winner(seen)
		:: else
		fi;
		break
	od
}

init {
	byte i;

	for (i : 0 .. N - 1) {
		run Node(N - i, link[i], link[(i + 1) % N])
	}
}

ltl elected { <> (leaders > 0) }
ltl one_leader { <> [] (leaders == 1) }
ltl at_most_one { [] (leaders <= 1) }
