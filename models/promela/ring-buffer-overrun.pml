/*
 * A ring buffer with separate positions for reading and writing.
 * The bug: the write position is wrapped only after it has been used once more,
 * so it points behind the last cell.
 *
 * expect: violated
 * property: fault
 * shortest: 24
 * stored: -
 */
#define CELLS	3

byte cell[CELLS];
byte used, in, out;

active proctype Writer()
{
	byte next = 1;

	do
	:: used < CELLS ->
		cell[in] = next;
		in++;
		if
		:: in > CELLS -> in = 0		/* should be >= */
		:: else
		fi;
		used++;
		next = 1 - next
	od
}

active proctype Reader()
{
	byte got, expected = 1;

	do
	:: used > 0 ->
		got = cell[out];
		out = (out + 1) % CELLS;
		used--
	od
}
