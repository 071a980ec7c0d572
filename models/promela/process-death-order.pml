/*
 * Processes die in the reverse order of their birth.
 * The bug: the keeper waits until the first task is gone, but that task cannot
 * die before the younger one, which waits for the keeper.
 *
 * expect: violated
 * property: deadlock
 * shortest: 5
 * stored: 12
 */
bool finished, go;

proctype First()
{
	finished = true
}

proctype Second()
{
	go
}

init {
	byte before;

	run First();
	run Second();
	before = _nr_pr;
	finished;
	_nr_pr < before;	/* waits for the death of First */
	go = true
}
