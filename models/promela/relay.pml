/*
 * A motor that turns forward or backward through two relays, interlocked: the
 * coil of each relay gets current through a contact of the other.
 * The bug: a contact moves some time after the coil, so that with both buttons
 * pressed both coils pull before either interlock opens, and the supply is
 * short-circuited.
 *
 * expect: violated
 * property: assertion
 * shortest: 11
 * stored: 480
 */
bool pressed[2], coil[2], closed[2];

active [2] proctype Button()
{
	do
	:: pressed[_pid] = !pressed[_pid]
	od
}

active [2] proctype Relay()
{
	bit me = _pid - 2;
	bit other = 1 - me;

	do
	:: !coil[me] && pressed[me] && !closed[other] ->
		coil[me] = true
	:: coil[me] && !pressed[me] ->
		coil[me] = false
	:: coil[me] && !closed[me] ->
		closed[me] = true;
		assert(!closed[other])
	:: !coil[me] && closed[me] ->
		closed[me] = false
	od
}
