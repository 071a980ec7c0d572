/*
 * Variables outside the state (hidden), and marks for the simulator (show) and
 * for the reduction (local); a loop inside an atomic sequence.
 *
 * expect: holds
 * property: safety
 * stored: -
 */
hidden byte scratch;
show int total;
local bit mine;

active proctype Adder()
{
	show byte i;
	local byte sum;

	atomic {
		do
		:: i < 5 ->
			scratch = i;
			sum = sum + scratch;
			i++
		:: else -> break
		od;
		total = total + sum
	};
	mine = 1;
	_ = total + mine		/* written and never read */
}

active proctype Watcher()
{
	assert(total == 0 || total == 10)
}
