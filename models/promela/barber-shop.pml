/*
 * The sleeping barber: customers sit down on one of CHAIRS chairs, or go
 * elsewhere when all are taken; the barber sleeps when nobody waits.
 * The bug: looking at the chairs and going to sleep are two steps.  A customer
 * who rings in between is not heard, and both wait for ever.
 *
 * expect: violated
 * property: deadlock
 * shortest: 8
 * stored: 71
 * define: CUSTOMERS=2
 * define: CHAIRS=1
 */
#ifndef CUSTOMERS
#define CUSTOMERS 2
#endif
#ifndef CHAIRS
#define CHAIRS 1
#endif

byte waiting;
bool asleep;
chan cut = [0] of { bit };

active proctype Barber()
{
	do
	:: waiting > 0 ->
		waiting--;
		cut!1
	:: waiting == 0 ->
		asleep = true;
end:		!asleep
	od
}

active [CUSTOMERS] proctype Customer()
{
	do
	:: atomic {
		if
		:: waiting < CHAIRS -> waiting++
		:: else -> break	/* goes elsewhere, for good */
		fi
	   };
	   asleep = false;	/* rings the bell */
	   cut?1
	od
}
