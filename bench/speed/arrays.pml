/*
 * Workers that sort: each walks along one array and exchanges neighbours that stand in the wrong order, while a shuffler
 * now and then turns a pair round. What the array holds never changes.
 *
 * A family for `cargo xtask bench`; LENGTH is the length of the array, WORKERS the number of workers.
 */
#ifndef LENGTH
#define LENGTH 4
#endif
#ifndef WORKERS
#define WORKERS 2
#endif

byte cell[LENGTH];
bool busy[LENGTH];
byte swaps[WORKERS];

proctype Worker(byte me)
{
	byte i, sum, k;

	do
	:: i < LENGTH - 1 ->
		atomic { !busy[i] && !busy[i + 1] -> busy[i] = true; busy[i + 1] = true };
		if
		:: cell[i] > cell[i + 1] ->
			atomic {
				k = cell[i];
				cell[i] = cell[i + 1];
				cell[i + 1] = k;
				k = 0
			};
			swaps[me] = (swaps[me] + 1) % 2
		:: else
		fi;
		busy[i] = false;
		busy[i + 1] = false;
		i++
	:: else ->
		i = 0;
		d_step {
			sum = 0;
			k = 0;
			do
			:: k < LENGTH -> sum = sum + cell[k]; k++
			:: else -> break
			od;
			k = 0;
			assert(sum == LENGTH * (LENGTH - 1) / 2 && swaps[me] < 2);
			sum = 0
		}
	od
}

active proctype Shuffler()
{
	byte i, k;

	d_step {
		do
		:: i < LENGTH -> cell[i] = LENGTH - 1 - i; i++
		:: else -> break
		od;
		i = 0
	};
	atomic {
		do
		:: i < WORKERS -> run Worker(i); i++
		:: else -> break
		od;
		i = 0
	};
	do
	:: atomic {
		!busy[0] && !busy[LENGTH - 1] && cell[0] < cell[LENGTH - 1] ->
		k = cell[0];
		cell[0] = cell[LENGTH - 1];
		cell[LENGTH - 1] = k;
		k = 0
	   }
	od
}
