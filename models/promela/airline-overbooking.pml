/*
 * An office sells SEATS tickets through agents, one for each ticket and a few
 * more in case that somebody does not sell.
 * The bug: the office looks at the sign "sold out" before it starts an agent,
 * but the agent puts the sign up only after the sale.
 *
 * expect: violated
 * property: assertion
 * shortest: 23
 * stored: 794
 * define: SEATS=2
 * define: CUSHION=1
 */
#ifndef SEATS
#define SEATS 2
#endif
#ifndef CUSHION
#define CUSHION 1
#endif
#define AGENTS	(SEATS + CUSHION)

byte sold, done;
bool sold_out;

proctype Agent()
{
	sold++;
	if
	:: sold >= SEATS -> sold_out = true
	:: else
	fi;
	done++
}

active proctype Office()
{
	byte agents;

	do
	:: agents < AGENTS && !sold_out ->
		run Agent();
		agents++
	:: agents == AGENTS || sold_out -> break
	od;
	done == agents;
	assert(sold <= SEATS)
}
