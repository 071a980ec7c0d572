/*
 * Three processes exchange neighbouring cells of an array until it is sorted;
 * each comparison and exchange is one indivisible, deterministic step.
 *
 * expect: holds
 * property: safety
 * stored: 139
 * ltl sorted: holds
 */
byte cell[4] = { 4, 3, 2, 1 };
byte swaps;

active [3] proctype Sorter()
{
	byte spare;

end:	do
	:: d_step {
		cell[_pid] > cell[_pid + 1] ->
		spare = cell[_pid];
		cell[_pid] = cell[_pid + 1];
		cell[_pid + 1] = spare;
		spare = 0;
		swaps++
	   };
	   assert(swaps <= 6)
	od
}

ltl sorted {
	<> [] (cell[0] == 1 && cell[1] == 2 && cell[2] == 3 && cell[3] == 4)
}
