/*
 * A game of dice: a choice from a range, loops over a range, over an array and
 * over the contents of a channel.
 *
 * expect: holds
 * property: safety
 * stored: 309
 */
#define SIDES	3

typedef Throw {
	byte dice;
	byte value
};

chan table = [2] of { Throw };
byte seen[2];

active proctype Game()
{
	Throw t;
	byte i, value;
	short sum;

	for (i : 1 .. 2) {
		select (value : 1 .. SIDES);
		t.dice = i;
		t.value = value;
		table!t
	}
	for (t in table) {
		seen[t.dice - 1] = t.value
	}
	assert(len(table) == 2);
	for (i in seen) {
		if
		:: seen[i] == SIDES -> goto jackpot
		:: else -> sum = sum + seen[i]
		fi
	}
	assert(sum >= 2 && sum <= 2 * SIDES - 2);
	goto done;
jackpot:
	assert(seen[0] == SIDES || seen[1] == SIDES);
done:	table?t;
	assert(t.dice == 1);
	table?t;
	assert(t.dice == 2 && empty(table))
}
