/*
 * An elevator: a controller that visits the requested floors, a door that
 * takes orders from it, and people who push buttons.
 * Two bugs: the controller drives off without waiting for the door to report
 * that it is closed, and it always serves the highest request first.
 *
 * expect: holds
 * property: safety
 * stored: 17664
 * ltl closed_while_moving: violated
 * ltl ground_served: violated
 * define: FLOORS=3
 */
#ifndef FLOORS
#define FLOORS 3
#endif

mtype = { open, close };

chan order = [2] of { mtype };
bool request[FLOORS];
byte requests;
bool opened, stopped = true;
byte floor;

active proctype Door()
{
end:	do
	:: order?open -> opened = true
	:: order?close -> opened = false
	od
}

active proctype Controller()
{
	byte target;

end:	do
	:: requests > 0 ->
		target = FLOORS - 1;
		do
		:: !request[target] -> target--
		:: else -> break
		od;
		stopped = false;
		do
		:: floor < target -> floor++
		:: floor > target -> floor--
		:: else -> break
		od;
		stopped = true;
		order!open;
		d_step { request[floor] = false; requests-- };
		order!close
	od
}

active proctype People()
{
	byte f;

	do
	:: select (f : 0 .. FLOORS - 1);
	   atomic {
		if
		:: !request[f] -> request[f] = true; requests++
		:: else
		fi
	   }
	od
}

ltl closed_while_moving { [] (!opened || stopped) }
ltl ground_served { [] (request[0] -> <> (opened && floor == 0)) }
