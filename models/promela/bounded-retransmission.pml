/*
 * Bounded retransmission of a file of CHUNKS chunks over lossy lines: after
 * RETRIES repetitions of one chunk the sender gives up.  It tells its user ok,
 * failed, or unsure (only the last acknowledgement is missing); what the
 * receiver has must agree with that.
 *
 * expect: holds
 * property: safety
 * stored: 219
 * ltl verdict: holds
 * define: CHUNKS=3
 * define: RETRIES=2
 */
#ifndef CHUNKS
#define CHUNKS 3
#endif
#ifndef RETRIES
#define RETRIES 2
#endif

mtype = { none, ok, failed, unsure };
mtype told = none;

chan frames = [1] of { bit, bit };	/* the bit, last chunk? */
chan acks = [1] of { bit };

byte received;
bool complete;

active proctype Sender()
{
	byte chunk = 1, tries;
	bit b;

	do
	:: chunk <= CHUNKS ->
		frames!b, (chunk == CHUNKS);
		if
		:: acks?eval(b) ->
			chunk++;
			tries = 0;
			b = 1 - b
		:: timeout ->	/* frame or acknowledgement lost */
			if
			:: tries < RETRIES -> tries++
			:: else -> break
			fi
		fi
	:: else -> break
	od;
	if
	:: chunk > CHUNKS -> told = ok
	:: chunk == CHUNKS -> told = unsure
	:: else -> told = failed
	fi;
	assert(told != ok || complete);
	assert(told != failed || !complete)
}

active proctype Receiver()
{
	bit b, expected, last;

end:	do
	:: frames?b, last ->
		if
		:: b == expected ->
			received++;
			complete = last;
			expected = 1 - expected
		:: else		/* seen before */
		fi;
		assert(received <= CHUNKS);
		acks!b
	od
}

active proctype Line()
{
end:	do
	:: frames?_, _
	:: acks?_
	od
}

ltl verdict { <> (told != none) }
