/*
 * A ferry, written in the terse style that leaves out semicolons, and with
 * variables declared where they are needed: such a declaration is a step of its
 * own and starts the variable afresh each time round.
 * The bug: when the quay is empty the ferry goes on to the next round without
 * unloading, and the fresh count forgets the cars that are still aboard.
 *
 * expect: violated
 * property: assertion
 * shortest: 29
 * stored: 310
 */
#define ROOM	2

chan quay = [3] of { byte }
byte aboard

active proctype Cars()
{
	byte id = 1

	do
	:: id <= 3 ->
		quay!id
		id++
	:: else -> break
	od
}

active proctype Ferry()
{
	do
	:: byte loaded
		do
		:: loaded < ROOM && nempty(quay) ->
			byte car
			quay?car
			loaded++
			aboard++
			assert(aboard <= ROOM)
		:: loaded == ROOM ->
			aboard = 0
			break
		:: empty(quay) -> break
		od
	od
}
