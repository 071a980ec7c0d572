/*
 * A never claim that looks at the scheduling itself: which process moved last,
 * which ones could move, where their program counters are and whether anybody
 * is at a progress label.  It matches runs in which only process 0 moves for
 * ever although process 1 could.
 *
 * expect: holds
 * property: safety
 * stored: 24
 * never: violated
 * never fair: holds
 * non-progress: violated
 * non-progress fair: holds
 */
byte turns[2];

active [2] proctype Task()
{
	do
	:: turns[_pid] = 1;
	   if
	   :: _pid == 1 ->
progress:	turns[_pid] = 2
	   :: else
	   fi;
	   turns[_pid] = 0
	od
}

never {
	do
	:: true
	:: _last == 0 && enabled(1) && np_ -> goto accept_alone
	od;
accept_alone:
	do
	:: _last == 0 && enabled(1) && np_ && pc_value(1) > 0
	od
}
