/*
 * Peterson's mutual exclusion algorithm for two processes.
 *
 * expect: holds
 * property: safety
 * stored: 20
 * ltl exclusion: holds
 * ltl entry: holds
 * ltl turns: violated
 * ltl turns fair: holds
 */
bool wants[2];
bit turn;

active [2] proctype User()
{
	pid other = 1 - _pid;

	do
	:: wants[_pid] = true;
	   turn = other;
wait:	   (!wants[other] || turn == _pid);
critical:  wants[_pid] = false
	od
}

ltl exclusion { [] !(User[0]@critical && User[1]@critical) }
ltl entry { [] (User[0]@wait -> <> User[0]@critical) }
ltl turns { []<> User[0]@critical }
