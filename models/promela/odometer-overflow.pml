/*
 * A trip counter of four bits and a driver who trusts it.
 * The bug: after fifteen steps the counter starts again at zero, and the
 * distance since the last stop comes out negative.
 *
 * expect: violated
 * property: assertion
 * shortest: 21
 * stored: 16128
 */
unsigned trip : 4;
short distance;

active proctype Wheel()
{
	do
	:: trip++
	od
}

active proctype Driver()
{
	unsigned start : 4 = 0;

	do
	:: distance = trip - start;
	   assert(distance >= 0);
	   start = trip
	od
}
