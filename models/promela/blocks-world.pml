/*
 * A planning puzzle: blocks on a table, and a hand that holds one block at a
 * time.  The blocks are one tower, with block 0 at the bottom; the goal is the
 * tower in which block 0 is at the top and the others have kept their order.
 * The assertion says that there is no plan.
 *
 * expect: violated
 * property: assertion
 * shortest: 30
 * stored: 127
 * define: BLOCKS=4
 */
#ifndef BLOCKS
#define BLOCKS 4		/* 3 to 9 */
#endif
#define TABLE	BLOCKS
#define NONE	(BLOCKS + 1)

byte hand = NONE;
byte below[BLOCKS];		/* a block, TABLE, or NONE in the hand */
bool clear[BLOCKS];		/* nothing lies on it, and it is not in the hand */

#define ON(i)	(below[i] == i - 1)

#define UP_TO_2	(below[0] == BLOCKS - 1 && below[1] == TABLE && ON(2))
#if BLOCKS == 3
#define SOLVED	UP_TO_2
#elif BLOCKS == 4
#define SOLVED	(UP_TO_2 && ON(3))
#elif BLOCKS == 5
#define SOLVED	(UP_TO_2 && ON(3) && ON(4))
#elif BLOCKS == 6
#define SOLVED	(UP_TO_2 && ON(3) && ON(4) && ON(5))
#elif BLOCKS == 7
#define SOLVED	(UP_TO_2 && ON(3) && ON(4) && ON(5) && ON(6))
#elif BLOCKS == 8
#define SOLVED	(UP_TO_2 && ON(3) && ON(4) && ON(5) && ON(6) && ON(7))
#else
#define SOLVED	(UP_TO_2 && ON(3) && ON(4) && ON(5) && ON(6) && ON(7) && ON(8))
#endif

proctype Block(byte me)
{
	do
	:: d_step {
		hand == NONE && clear[me] ->	/* picked up */
		hand = me;
		clear[me] = false;
		if
		:: below[me] < TABLE -> clear[below[me]] = true
		:: else
		fi;
		below[me] = NONE
	   }
	:: d_step {
		hand == me ->			/* put on the table */
		hand = NONE;
		clear[me] = true;
		below[me] = TABLE
	   }
	:: d_step {
		hand != NONE && clear[me] ->	/* another block is put on this one */
		below[hand] = me;
		clear[hand] = true;
		clear[me] = false;
		hand = NONE
	   }
	od
}

init {
	byte i;

	d_step {
		for (i : 1 .. BLOCKS - 1) {
			below[i] = i - 1
		};
		below[0] = TABLE;
		clear[BLOCKS - 1] = true
	};
	atomic {
		for (i : 0 .. BLOCKS - 1) {
			run Block(i)
		};
		i = 0
	};

	do
	:: assert(!SOLVED)
	od
}
