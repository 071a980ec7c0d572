/*
 * A ring of stations shares one resource.  The right to use it travels around
 * as a permit; a station that loses patience sends a claim with its own number
 * around the ring and helps itself to the resource when the claim comes back.
 * The bug: nobody withdraws the permit, so a claimant and the permit's holder
 * can use the resource together.  (After the flawed leader election studied in
 * Bui's thesis, written anew.)
 *
 * expect: violated
 * property: assertion
 * shortest: 25
 * stored: 62124
 * define: N=3
 */
#ifndef N
#define N 3
#endif

mtype = { permit, claim };

chan link[N] = [N + 1] of { mtype, byte };
byte users;

inline use_resource() {
	users++;
	assert(users == 1);
	users--
}

active [N] proctype Station()
{
	bool waiting;
	byte who;

	if
	:: _pid == 0 -> link[1 % N]!permit(0)
	:: else
	fi;
end:	do
	:: !waiting ->		/* patience runs out at any moment */
		link[(_pid + 1) % N]!claim(_pid);
		waiting = true
	:: link[_pid]?permit(_) ->
		use_resource();
		link[(_pid + 1) % N]!permit(0)
	:: link[_pid]?claim(who) ->
		if
		:: who == _pid ->
			waiting = false;
			use_resource()
		:: else ->
			link[(_pid + 1) % N]!claim(who)
		fi
	od
}
