/*
 * Remote calls in the manner of CORBA's General Inter-ORB Protocol: clients
 * call an object through an agent that knows at which server it lives; the
 * object may migrate, and a server that no longer has it sends the request
 * back to the agent.
 * The bug: the agent and a server may each wait for room in the other's
 * mailbox.
 *
 * expect: violated
 * property: deadlock
 * shortest: 10
 * stored: 13448
 * define: CLIENTS=2
 */
#ifndef CLIENTS
#define CLIENTS 2
#endif

mtype = { request, reply, moved };

chan to_agent = [1] of { mtype, byte };
chan to_server[2] = [1] of { byte };
chan to_client[CLIENTS] = [1] of { mtype };

active [CLIENTS] proctype Client()
{
	do
	:: to_agent!request(_pid);
	   to_client[_pid]?reply
	od
}

active proctype Agent()
{
	byte who;
	bit home;

	do
	:: to_agent?request(who) -> to_server[home]!who
	:: to_agent?reply(who) -> to_client[who]!reply
	:: to_agent?moved(home)
	od
}

bit place;		/* the server that has the object */

active [2] proctype Server()
{
	bit me = _pid - CLIENTS - 1;
	byte who;

	do
	:: to_server[me]?who ->
		if
		:: place == me -> to_agent!reply(who)
		:: else -> to_agent!request(who)
		fi
	:: place == me && empty(to_server[me]) ->
		place = 1 - me;
		to_agent!moved(1 - me)
	od
}
