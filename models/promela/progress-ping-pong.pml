/*
 * Ping and pong over a rendezvous; every round passes a progress label.
 *
 * expect: holds
 * property: safety
 * stored: 2
 * non-progress: holds
 */
mtype = { ping, pong };

chan net = [0] of { mtype };

active proctype Server()
{
	do
	:: net!ping;
progress_served:
	   net?pong
	od
}

active proctype Client()
{
	do
	:: net?ping;
	   net!pong
	od
}
