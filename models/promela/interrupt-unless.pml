/*
 * A printer job that an interrupt may break off at any statement, and a reset
 * that may break off the interrupt's handling too: nested escapes.
 *
 * expect: holds
 * property: safety
 * stored: 444
 * ltl reset_works: holds
 */
#define PAGES	3

bool irq, reset;
byte printed, saved;

active proctype Printer()
{
	do
	:: {
		{
			printed = 0;
			do
			:: printed < PAGES -> printed++
			:: else -> break
			od
		} unless {
			irq ->
			saved = printed;
			irq = false
		};
		assert(printed <= PAGES && saved <= PAGES)
	   } unless {
		reset -> saved = 0; printed = 0; break
	   }
	od;
off:	assert(reset)
}

active proctype Panel()
{
	do
	:: !irq -> irq = true
	:: reset = true; break
	od
}

ltl reset_works { [] (reset -> <> (saved == 0 && printed == 0)) }
