/*
 * A planning puzzle: a man in a walled room pushes boxes, one at a time, from
 * the second row to the last row.  A box in a corner is lost, and so is one at
 * a wall without goals.
 * The assertion says that there is no plan.
 *
 * expect: violated
 * property: assertion
 * shortest: 15
 * stored: 1677
 * define: ROWS=4
 * define: COLUMNS=4
 * define: BOXES=2
 */
#ifndef ROWS
#define ROWS 4
#endif
#ifndef COLUMNS
#define COLUMNS 4
#endif
#ifndef BOXES
#define BOXES 2			/* 1 to 4, and less than COLUMNS - 1 */
#endif

/* cells are numbered row by row; the wall around the room has cells too */
#define WIDTH	(COLUMNS + 2)
#define CELLS	((ROWS + 2) * WIDTH)
#define CELL(row, column)	((row) * WIDTH + column)
#define WALL(c)	((c) < WIDTH || (c) >= CELLS - WIDTH || (c) % WIDTH == 0 || (c) % WIDTH == COLUMNS + 1)

byte man;
bool box[CELLS];

#define FREE(c)	(!WALL(c) && !box[c])
#define GOAL(i)	box[CELL(ROWS, COLUMNS - i)]

#if BOXES == 1
#define SOLVED	GOAL(0)
#elif BOXES == 2
#define SOLVED	(GOAL(0) && GOAL(1))
#elif BOXES == 3
#define SOLVED	(GOAL(0) && GOAL(1) && GOAL(2))
#else
#define SOLVED	(GOAL(0) && GOAL(1) && GOAL(2) && GOAL(3))
#endif

#define WALK(step)	d_step { FREE(man + step) -> man = man + step }
#define PUSH(step)	d_step {						\
		box[man + step] && FREE(man + 2 * (step)) ->			\
		man = man + step;						\
		box[man] = false;						\
		box[man + step] = true						\
	}

init {
	byte i;

	d_step {
		man = CELL(1, 1);
		for (i : 1 .. BOXES) {
			box[CELL(2, 1 + i)] = true
		};
		i = 0
	};

	do
	:: WALK(1)
	:: WALK(-1)
	:: WALK(WIDTH)
	:: WALK(-WIDTH)
	:: PUSH(1)
	:: PUSH(-1)
	:: PUSH(WIDTH)
	:: PUSH(-WIDTH)
	:: assert(!SOLVED)
	od
}
