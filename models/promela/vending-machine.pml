/*
 * A vending machine written as a state machine with jumps.
 * The bug: a coin put in while the cup is being filled is kept but not
 * credited, so the money in the box does not match what was sold.
 *
 * expect: violated
 * property: assertion
 * shortest: 19
 * stored: 340
 */
#define PRICE	2

mtype = { coin, button, cancel, cup, change };

chan slot = [1] of { mtype };
chan tray = [1] of { mtype };
byte box, sold;

active proctype Machine()
{
	byte credit;

idle:	credit = 0;
	if
	:: slot?coin -> box++; credit = 1; goto paid
	:: slot?button -> goto idle
	:: slot?cancel -> goto idle
	fi;
paid:	if
	:: credit == PRICE -> goto ready
	:: else
	fi;
	if
	:: slot?coin -> box++; credit++; goto paid
	:: slot?cancel -> goto refund
	:: slot?button -> goto paid
	fi;
ready:	if
	:: slot?button -> goto fill
	:: slot?cancel -> goto refund
	:: slot?coin -> tray!change; goto ready
	fi;
refund:	if
	:: credit > 0 ->
		credit--;
		box--;
		tray!change;
		goto refund
	:: else -> goto idle
	fi;
fill:	sold++;
	tray!cup;
	if
	:: slot?coin -> box++		/* and no credit for it */
	:: skip
	fi;
	assert(box == PRICE * sold);
	printf("%d cups for %d coins\n", sold, box);
	box = 0;
	sold = 0;
	goto idle
}

active proctype Customer()
{
	do
	:: slot!coin
	:: slot!button
	:: slot!cancel
	:: tray?cup
	:: tray?change
	od
}
