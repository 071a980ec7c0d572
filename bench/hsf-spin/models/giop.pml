/*
 * Remote calls in the manner of CORBA's General Inter-ORB Protocol, through an
 * agent who opens a connection to the server when there is none.  The server
 * closes an idle connection after it has answered SERVED requests.
 * The bug: a request that crosses the message of the closing is dropped, and
 * the agent does not send it again.  When every client has lost a request,
 * nobody moves any more.
 * The labels `stuck` are the dangerous states of a user who knows the deadlock.
 *
 * expect: violated
 * property: deadlock
 * shortest: 44
 * stored: 1204
 * define: CLIENTS=2
 * define: SERVED=2
 */
#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef SERVED
#define SERVED 2
#endif

mtype = { request, reply, open, close };

chan to_agent = [1] of { byte };
chan to_server = [1] of { mtype, byte };
chan from_server = [CLIENTS + 1] of { mtype, byte };
chan to_client[CLIENTS] = [0] of { mtype };

active [CLIENTS] proctype Client()
{
	do
	:: to_agent!_pid;
stuck:	   to_client[_pid]?reply
	od
}

active proctype Agent()
{
	byte who;
	bool connected;

stuck:	do
	:: to_agent?who ->
		if
		:: connected
		:: !connected -> to_server!open(0); connected = true
		fi;
		to_server!request(who)
	:: from_server?reply(who) -> to_client[who]!reply
	:: from_server?close(who) -> connected = false
	od
}

active proctype Server()
{
	byte who, answered;
	bool connected;

stuck:	do
	:: to_server?open(who) -> connected = true
	:: to_server?request(who) ->
		if
		:: connected ->
			from_server!reply(who);
			answered = (answered < SERVED -> answered + 1 : SERVED)
		:: !connected	/* dropped */
		fi
	:: connected && answered == SERVED ->
		from_server!close(0);
		connected = false;
		answered = 0
	od
}
