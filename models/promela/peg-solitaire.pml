/*
 * A planning puzzle: peg solitaire on a triangle of SIDE rows.  A peg jumps
 * over a neighbour into a hole, and the neighbour is taken off the board.
 * The assertion says that one cannot end with a single peg in the first hole.
 *
 * expect: violated
 * property: assertion
 * shortest: 16
 * stored: 3018
 * define: SIDE=5
 */
#ifndef SIDE
#define SIDE 5			/* 5 or 6 */
#endif
#define HOLES	(SIDE * (SIDE + 1) / 2)

bool peg[HOLES] = true;
byte pegs = HOLES;

#define JUMP(a, b, c)							\
	:: d_step {							\
		peg[a] && peg[b] && !peg[c] ->				\
		peg[a] = false; peg[b] = false; peg[c] = true; pegs--	\
	}
#define LINE(a, b, c)	JUMP(a, b, c) JUMP(c, b, a)

init {
	peg[0] = false; pegs--;

	do
	LINE(0, 1, 3)	LINE(0, 2, 5)	LINE(3, 4, 5)
	LINE(1, 3, 6)	LINE(1, 4, 8)	LINE(2, 4, 7)	LINE(2, 5, 9)
	LINE(6, 7, 8)	LINE(7, 8, 9)
	LINE(3, 6, 10)	LINE(3, 7, 12)	LINE(4, 7, 11)	LINE(4, 8, 13)
	LINE(5, 8, 12)	LINE(5, 9, 14)
	LINE(10, 11, 12)	LINE(11, 12, 13)	LINE(12, 13, 14)
#if SIDE == 6
	LINE(6, 10, 15)	LINE(6, 11, 17)	LINE(7, 11, 16)	LINE(7, 12, 18)
	LINE(8, 12, 17)	LINE(8, 13, 19)	LINE(9, 13, 18)	LINE(9, 14, 20)
	LINE(15, 16, 17)	LINE(16, 17, 18)	LINE(17, 18, 19)	LINE(18, 19, 20)
#endif
	:: assert(!(pegs == 1 && peg[0]))
	od
}
