/*
 * A sampler that reports the mean of the samples since the last report.
 * The bug: it reports at every tick, also when there was no sample, and divides
 * by zero.
 *
 * expect: violated
 * property: fault
 * shortest: 2
 * stored: -
 */
chan samples = [2] of { byte };

active proctype Sensor()
{
	byte value = 3;

	do
	:: samples!value;
	   value = (value * 5) % 17
	od
}

active proctype Sampler()
{
	byte value, mean;
	int sum, count;

	do
	:: samples?value ->
		sum = (sum + value) % 64;
		count = (count < 3 -> count + 1 : 3)
	:: count < 4 ->			/* a tick */
		mean = sum / count;
		sum = 0;
		count = 0
	od
}
