/*
 * The cure for priority inversion: the holder of the lock is raised to the
 * priority of the task that waits for it, and falls back afterwards.
 *
 * expect: holds
 * property: safety
 * stored: 16
 * ltl high_runs: holds
 */
bool locked, started;
pid holder;

active proctype High() priority 10
{
	do
	:: started;
	   if
	   :: locked -> set_priority(holder, _priority)
	   :: else
	   fi;
	   atomic { !locked -> locked = true };
critical:  assert(get_priority(_pid) == 10);
	   locked = false;
	   started = false
	od
}

active proctype Medium() priority 5
{
	do
	:: started -> skip
	od
}

active proctype Low()
{
	do
	:: atomic { !locked -> locked = true; holder = _pid };
	   started = true;
	   locked = false;
	   set_priority(_pid, 1)
	od
}

ltl high_runs { []<> High@critical }
