/*
 * A slotted ring: tokens go round, and a station that holds one may do a piece of work before it hands the token on.
 *
 * A family for `cargo xtask bench`; N is the number of stations, TOKENS that of tokens, WORK how far a station counts.
 */
#ifndef N
#define N 4
#endif
#ifndef TOKENS
#define TOKENS 2
#endif
#ifndef WORK
#define WORK 2
#endif

chan link[N] = [1] of { byte };
byte held;

proctype Station(byte me)
{
	byte token, done;

	do
	:: link[me]?token ->
		held++;
		assert(held <= TOKENS && token <= TOKENS);
		if
		:: done < WORK -> done++
		:: done == WORK -> done = 0
		:: skip
		fi;
		held--;
		link[(me + 1) % N]!token;
		token = 0
	od
}

init {
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			if
			:: i < TOKENS -> link[i]!(i + 1)
			:: else
			fi;
			run Station(i)
		}
	}
}
