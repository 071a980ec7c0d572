/*
 * Two polite people in a corridor who both step aside, again and again.
 * The bug: nothing makes them stop; they can do so for ever without passing,
 * and a fair scheduler does not help.
 *
 * expect: holds
 * property: safety
 * stored: 80
 * non-progress: violated
 */
bit side[2];
byte passed;

active [2] proctype Person()
{
	pid other = 1 - _pid;

	do
	:: side[_pid] == side[other] && passed == 0 ->
		side[_pid] = 1 - side[_pid]
	:: side[_pid] != side[other] || passed > 0 ->
progress:	passed++;
		break
	od
}
