/*
 * A claim that looks into processes: at their labels and at their local
 * variables, with and without a process number.
 *
 * expect: holds
 * property: safety
 * stored: 108
 * ltl not_both: holds
 * ltl counts: holds
 * ltl alternate: violated
 * ltl single: holds
 */
byte token;

active [2] proctype Player()
{
	byte rounds;

	do
	:: token == _pid ->
holding:	rounds = (rounds + 1) % 3;
		token = 2
	od
}

active proctype Referee()
{
	bit chosen;

	do
	:: token == 2 ->
choose:		if
		:: chosen = 0
		:: chosen = 1
		fi;
		token = chosen
	od
}

ltl not_both { [] !(Player[0]@holding && Player[1]@holding) }
ltl counts { [] (Player[0]:rounds < 3 && Player[1]:rounds < 3) }
ltl alternate { []<> (Player[0]:rounds == Player[1]:rounds) }
ltl single { [] (Referee@choose -> (token == 2 && Referee:chosen < 2)) }
