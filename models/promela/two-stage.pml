/*
 * Two tables, each with its own lock, updated in two stages.
 * The bug: between the stages neither lock is held, so a reader that takes the
 * locks in the same order sees the first table new and the second one old.
 *
 * expect: violated
 * property: assertion
 * shortest: 12
 * stored: 354
 * define: WRITERS=2
 * define: READERS=1
 */
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef READERS
#define READERS 1
#endif

bool lock[2];
byte first, second;

inline acquire(n) { atomic { !lock[n] -> lock[n] = true } }
inline release(n) { lock[n] = false }

active [WRITERS] proctype Writer()
{
	acquire(0);
	first = 1;
	release(0);

	acquire(1);
	second = first + 1;
	release(1)
}

active [READERS] proctype Reader()
{
	byte seen;

	acquire(0);
	seen = first;
	release(0);
	if
	:: seen == 0		/* nothing stored yet */
	:: else ->
		acquire(1);
		assert(second == seen + 1);
		release(1)
	fi
}
