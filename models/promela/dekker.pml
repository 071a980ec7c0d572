/*
 * Dekker's mutual exclusion algorithm: a process whose turn it is not backs
 * off before it tries again.
 *
 * expect: holds
 * property: safety
 * stored: 126
 * ltl exclusion: holds
 * ltl no_lockout: violated
 * ltl no_lockout fair: holds
 */
bool wants[2];
bit turn;
byte inside;

active [2] proctype User()
{
	pid other = 1 - _pid;

	do
	:: wants[_pid] = true;
	   do
	   :: wants[other] ->
		if
		:: turn == other ->
			wants[_pid] = false;
			(turn == _pid);
			wants[_pid] = true
		:: else
		fi
	   :: else -> break
	   od;
critical:  inside++;
	   inside--;
	   turn = other;
	   wants[_pid] = false
	od
}

ltl exclusion { [] (inside <= 1) }
ltl no_lockout { []<> User[0]@critical && []<> User[1]@critical }
