/*
 * Tasks under a round-robin scheduler, with the turn as a condition on every
 * statement of a task.
 *
 * expect: holds
 * property: safety
 * stored: 15
 * ltl in_turn: holds
 * ltl all_served: holds
 * define: N=3
 */
#ifndef N
#define N 3
#endif

byte turn;
byte work[N];

active [N] proctype Task() provided (turn == _pid)
{
	do
	:: work[_pid] = 1;
run_it:	   assert(turn == _pid);
	   work[_pid] = 2;
	   work[_pid] = 0;
	   turn = (turn + 1) % N
	od
}

ltl in_turn { [] (work[1] > 0 -> turn == 1) }
ltl all_served { []<> Task[0]@run_it && []<> Task[N - 1]@run_it }
