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
	:: request[FLOORS - 1] || request[FLOORS - 2] || request[0] ->
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
		request[floor] = false;
		order!close
	od
}

active proctype People()
{
	byte f;

	do
	:: select (f : 0 .. FLOORS - 1);
	   request[f] = true
	od
}

ltl closed_while_moving { [] (!opened || stopped) }
ltl ground_served { [] (request[0] -> <> (opened && floor == 0)) }
