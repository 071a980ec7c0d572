/*
 * A device driver that polls, with an acceptance label in the driver itself:
 * under a claim that allows every run, the driver must not poll for ever.
 * The bug: the device may stay busy for ever.
 *
 * expect: holds
 * property: safety
 * stored: 23
 * never: violated
 */
bool busy;
byte data;

active proctype Driver()
{
end:	do
	:: data < 2 ->
accept_polling:	if
		:: busy -> goto accept_polling
		:: !busy -> data++
		fi
	od
}

active proctype Device()
{
	do
	:: busy = true;
	   if
	   :: data == 2 -> break
	   :: data < 2
	   fi;
	   busy = false
	od
}

never {
	do
	:: true
	od
}
