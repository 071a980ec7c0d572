/*
 * A decoder for a run-length code, started once per word, as a deterministic
 * process type; its process number is used again for the next word.
 *
 * expect: holds
 * property: safety
 * stored: 38
 */
chan bits = [4] of { bit };
chan words = [0] of { byte };

D_proctype Decoder(byte length)
{
	byte n, run_length;
	bit b;

	do
	:: n < length ->
		bits?b;
		n++;
		if
		:: b == 1 -> run_length++
		:: else
		fi
	:: else -> break
	od;
	words!run_length
}

init {
	byte w;
	pid d;

	bits!1; bits!0; bits!1;
	d = run Decoder(3);
	words?w;
	assert(w == 2 && d == 1);
	_nr_pr == 1;
	bits!1;
	d = run Decoder(1);
	words?w;
	assert(w == 1 && d == 1)
}
