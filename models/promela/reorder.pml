/*
 * Two variables that belong together, set one after the other.
 * The bug: no lock at all; a checker can look between the two assignments.
 *
 * expect: violated
 * property: assertion
 * shortest: 4
 * stored: 861
 * define: SETTERS=2
 * define: CHECKERS=2
 */
#ifndef SETTERS
#define SETTERS 2
#endif
#ifndef CHECKERS
#define CHECKERS 2
#endif

short a, b;

active [SETTERS] proctype Setter()
{
	a = 1;
	b = -1
}

active [CHECKERS] proctype Checker()
{
	short x, y;

	x = a;
	y = b;
	assert((x == 0 && y == 0) || (x == 1 && y == -1))
}
