/*
 * A print spooler starts its jobs with different priorities: nobody of lower
 * priority moves while a job of higher priority can.
 *
 * expect: holds
 * property: safety
 * stored: 25
 * ltl important_first: holds
 */
chan printed = [3] of { byte };
byte done;

proctype Job(byte level)
{
	assert(_priority == level && get_priority(_pid) == level);
	printed!level;
	done++
}

init {
	byte level;

	set_priority(_pid, 200);	/* not to be overtaken by the jobs */
	run Job(10) priority 10;
	run Job(30) priority 30;
	run Job(20) priority 20;
	set_priority(_pid, 1);
	done == 3;
	printed?level;
	assert(level == 30);
	printed?level;
	assert(level == 20);
	printed?10
}

ltl important_first { [] (len(printed) > 0 && done < 3 -> printed?[30]) }
