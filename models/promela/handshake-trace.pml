/*
 * A three-way handshake, and a trace that says in which order the messages may
 * pass over the two channels it names.
 *
 * expect: holds
 * property: safety
 * stored: 7
 */
mtype = { syn, syn_ack, fin };

chan up = [1] of { mtype };
chan down = [0] of { mtype };
chan log = [0] of { byte };		/* not named in the trace: not watched */

active proctype Client()
{
	do
	:: up!syn;
	   log!1;
	   down?syn_ack;
	   up!fin
	od
}

active proctype Server()
{
	do
	:: up?syn ->
		down!syn_ack;
		up?fin
	od
}

active proctype Logger()
{
	do
	:: log?_
	od
}

trace {
	do
	:: up!syn;
	   up?syn;
	   down!syn_ack;
	   do
	   :: up!fin;
	      up?fin;
	      break
	   od
	od
}
