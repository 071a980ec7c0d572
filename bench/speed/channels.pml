/*
 * A switch: sources send numbered letters through one channel, the switch sorts them into a channel for each
 * destination, and the destinations answer each source. Nothing overtakes.
 *
 * A family for `cargo xtask bench`; N is the number of sources and of destinations, ROOM the room in each channel,
 * LETTERS how far letters are numbered.
 */
#ifndef N
#define N 2
#endif
#ifndef ROOM
#define ROOM 2
#endif
#ifndef LETTERS
#define LETTERS 2
#endif

mtype = { letter, urgent };

chan entry = [ROOM] of { mtype, byte, byte, byte };
chan exit[N] = [ROOM] of { mtype, byte, byte };
chan answer[N] = [1] of { byte };

active [N] proctype Source()
{
	byte number, to, back;

	do
	:: to = 0;
	   do
	   :: to < N - 1 -> to++
	   :: break
	   od;
	   if
	   :: entry!letter(_pid, to, number)
	   :: entry!urgent(_pid, to, number)
	   fi;
	   answer[_pid]?back;
	   assert(back == number);
	   number = (number + 1) % LETTERS
	od
}

active proctype Switch()
{
	mtype kind;
	byte from, to, number;

	do
	:: entry?kind(from, to, number);
	   exit[to]!kind(from, number)
	od
}

active [N] proctype Destination()
{
	byte me = _pid - N - 1;
	byte from, number;

	do
	:: exit[me]?letter(from, number) -> answer[from]!number
	:: exit[me]?urgent(from, number) -> answer[from]!number
	od
}
