/*
 * A server starts a worker for each job; the worker's process number is free
 * again once it is dead, and the next worker gets it.
 *
 * expect: holds
 * property: safety
 * stored: 550
 * ltl few: holds
 */
#define JOBS	4
#define WORKERS	2

chan done = [0] of { pid, byte };
byte running;

proctype Worker(byte job)
{
	byte result;

	result = job * job;
	done!_pid, result
}

init {
	byte job = 1, result;
	pid last, who;

	do
	:: job <= JOBS && _nr_pr <= WORKERS ->
		last = run Worker(job);
		assert(last == 1 || last == 2);
		running++;
		job++
	:: done?who, result ->
		assert(who > 0 && result <= JOBS * JOBS);
		running--
	:: job > JOBS && running == 0 ->
		break
	od;
	_nr_pr == 1		/* all workers are dead */
}

ltl few { [] (_nr_pr <= 1 + WORKERS) }
