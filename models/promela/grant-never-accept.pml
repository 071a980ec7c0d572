/*
 * An arbiter for two clients, and a never claim with an acceptance state: a
 * request that is never granted.
 * The bug: the arbiter prefers client 0.
 *
 * expect: holds
 * property: safety
 * stored: 39
 * never: violated
 */
bool request[2], grant[2];

active [2] proctype Client()
{
	do
	:: request[_pid] = true;
	   grant[_pid];
	   request[_pid] = false;
	   !grant[_pid]
	od
}

active proctype Arbiter()
{
	do
	:: request[0] ->
		grant[0] = true;
		!request[0];
		grant[0] = false
	:: request[1] && !request[0] ->
		grant[1] = true;
		!request[1];
		grant[1] = false
	od
}

never {
wait:	do
	:: true
	:: request[1] && !grant[1] -> goto accept_starving
	od;
accept_starving:
	do
	:: !grant[1]
	od
}
