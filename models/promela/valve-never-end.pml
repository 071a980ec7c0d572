/*
 * A boiler with a safety valve, and a never claim that ends, and so reports a
 * violation, when the pressure is high twice in a row with the valve shut.
 * The bug: the controller opens the valve one reading too late.
 *
 * expect: holds
 * property: safety
 * stored: 118
 * never: violated
 */
#define HIGH	3

byte pressure;
bool open;

active proctype Boiler()
{
	do
	:: pressure < HIGH + 1 && !open -> pressure++
	:: open && pressure > 0 -> pressure--
	od
}

active proctype Controller()
{
	byte reading;

	do
	:: reading = pressure;
	   if
	   :: reading > HIGH -> open = true
	   :: reading == 0 -> open = false
	   :: else
	   fi
	od
}

never {
watch:	do
	:: pressure >= HIGH && !open -> goto high
	:: else
	od;
high:	if
	:: pressure >= HIGH && !open -> skip	/* falls off the end */
	:: else -> goto watch
	fi
}
