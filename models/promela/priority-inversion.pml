/*
 * Three tasks of different priority, of which the first and the last share a
 * lock (the trouble of the Mars Pathfinder).
 * The bug: while the low task holds the lock and the high task waits for it,
 * the medium task keeps the processor.
 *
 * expect: holds
 * property: safety
 * stored: 11
 * ltl high_runs: violated
 * ltl high_first: holds
 */
bool locked, started;

active proctype High() priority 10
{
	do
	:: started;		/* sleeps until then */
	   atomic { !locked -> locked = true };
critical:  locked = false;
	   started = false
	od
}

active proctype Medium() priority 5
{
	do
	:: started -> skip
	od
}

active proctype Low() priority 1
{
	do
	:: started = true;	/* wakes the others outside ... */
	   atomic { !locked -> locked = true };
	   if
	   :: started = true	/* ... or inside */
	   :: skip
	   fi;
	   locked = false
	od
}

ltl high_runs { []<> High@critical }
ltl high_first { [] (High@critical -> locked) }
