/*
 * Two clerks move money between two accounts and lock both of them, with the
 * macros of an included header.
 * The bug: each clerk locks the account he takes from first.
 *
 * expect: violated
 * property: deadlock
 * shortest: 6
 * stored: 168
 */
#include "locks.h"

#define TOTAL	10

Lock door[2];
byte balance[2] = TOTAL / 2;

inline transfer(from, into, amount) {
	acquire(door[from]);
	acquire(door[into]);
	if
	:: balance[from] >= amount ->
		balance[from] = balance[from] - amount;
		balance[into] = balance[into] + amount
	:: else
	fi;
	assert(balance[0] + balance[1] == TOTAL);
	release(door[into]);
	release(door[from])
}

active proctype Alice()
{
	do
	:: transfer(0, 1, 2)
	od
}

active proctype Bob()
{
	do
	:: transfer(1, 0, 3)
	od
}
