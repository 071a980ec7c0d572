/*
 * The Needham-Schroeder public-key protocol with an intruder on the network,
 * who forwards, keeps and composes messages.
 * The bug is the one Lowe found: alice talks to the intruder, who passes her
 * challenge on to bob; bob then believes he talks to alice.
 *
 * expect: violated
 * property: assertion
 * shortest: 29
 * stored: 68
 */
mtype = {
	none, alice, bob, intruder,		/* names, and their keys */
	na, nb,					/* nonces */
	msg1, msg2, msg3
};

/* kind, key it is locked with, two items */
chan to_net = [0] of { mtype, mtype, mtype, mtype };
chan to_alice = [0] of { mtype, mtype, mtype, mtype };
chan to_bob = [0] of { mtype, mtype, mtype, mtype };

mtype partner = none;		/* whom alice talks to */

active proctype Alice()
{
	mtype nonce;

	if
	:: partner = bob
	:: partner = intruder
	fi;
	to_net!msg1(partner, alice, na);
end:	to_alice?msg2(alice, na, nonce);
	to_net!msg3(partner, nonce, none)
}

active proctype Bob()
{
	mtype who, nonce;

end1:	to_bob?msg1(bob, who, nonce);
	to_net!msg2(who, nonce, nb);
end2:	to_bob?msg3(bob, nb, none);
	/* bob now believes that he talks to who */
	assert(who != alice || partner == bob)
}

active proctype Intruder()
{
	mtype kind, key, a, b;			/* the last message that passed */
	bool knows_na, knows_nb;

end:	do
	:: to_net?kind(key, a, b) ->
		if
		:: key == intruder ->		/* can read it */
			knows_na = knows_na || a == na || b == na;
			knows_nb = knows_nb || a == nb || b == nb;
			kind = none;
			key = none;
			a = none;
			b = none
		:: else
		fi
	/* whoever cannot open a message does not take it */
	:: to_alice!kind(key, a, b)
	:: to_bob!kind(key, a, b)
	:: to_bob!msg1(bob, alice, (knows_na -> na : none))
	:: to_bob!msg3(bob, (knows_nb -> nb : none), none)
	od
}
