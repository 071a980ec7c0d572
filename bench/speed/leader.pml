/*
 * Leader election in a ring (Chang and Roberts), with numbers handed out in every order.
 *
 * A family for `cargo xtask bench`; N is the number of nodes.
 */
#ifndef N
#define N 4
#endif

mtype = { candidate, winner };

chan link[N] = [N] of { mtype, byte };
bool given[N + 1];
byte leaders;

proctype Node(byte me, number)
{
	byte seen;

	link[(me + 1) % N]!candidate(number);
	do
	:: link[me]?candidate(seen) ->
		if
		:: seen > number -> link[(me + 1) % N]!candidate(seen)
		:: seen < number
		:: else ->
			leaders++;
			assert(leaders == 1 && number == N);
			link[(me + 1) % N]!winner(number)
		fi
	:: link[me]?winner(seen) ->
		assert(seen == N);
		if
		:: seen != number -> link[(me + 1) % N]!winner(seen)
		:: else
		fi;
		break
	od
}

init {
	byte i, n;

	atomic {
		for (i : 0 .. N - 1) {
			select(n : 1 .. N);
			do
			:: given[n] -> n = (n % N) + 1
			:: else -> break
			od;
			given[n] = true;
			run Node(i, n)
		}
	}
}
