/*
 * A pump and a drain with a tank between them, watched through the tank's
 * gauges: length, full, empty and their counterparts.
 *
 * expect: holds
 * property: safety
 * stored: 212
 * ltl level: holds
 * ltl runs_dry: violated
 */
#define SIZE	3

chan tank = [SIZE] of { byte };
bool valve;

active proctype Pump()
{
	byte litre;

	xs tank;
	do
	:: nfull(tank) && valve ->
		tank!litre;
		litre = 1 - litre
	:: full(tank) -> valve = false
	:: !valve && (empty(tank) || len(tank) < SIZE - 1) -> valve = true
	od
}

active proctype Drain()
{
	byte litre, expected;

	xr tank;
	do
	:: nempty(tank) ->
		tank?litre;
		assert(litre == expected);
		expected = 1 - expected
	od
}

/* full() and empty() are not known inside a formula */
ltl level { [] (len(tank) <= SIZE) }
ltl runs_dry { [] (len(tank) == SIZE -> <> (len(tank) == 0)) }
