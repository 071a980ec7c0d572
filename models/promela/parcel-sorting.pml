/*
 * A sorting line for fruit: several sets of symbolic names, which number their
 * members separately and yet share the wire.
 * The bug: the label printer writes a colour where the weigher expects a size;
 * both are just numbers, and the mistake passes unless they differ.
 *
 * expect: violated
 * property: assertion
 * shortest: 8
 * stored: 20833
 */
mtype = { label, weigh, done };
mtype:fruit = { apple, pear, plum };
mtype:colour = { green, red, blue };
mtype:size = { small, medium, large };

chan belt = [2] of { mtype, mtype:fruit, byte };

mtype:size expected[4];

active proctype Printer()
{
	mtype:fruit f;
	mtype:colour c;
	mtype:size s;

	do
	:: if
	   :: f = apple; c = red
	   :: f = pear; c = green
	   :: f = plum; c = blue
	   fi;
	   if
	   :: f == plum -> s = small
	   :: f == apple -> s = medium
	   :: else -> s = large
	   fi;
	   expected[f] = s;
	   if
	   :: belt!label(f, s)
	   :: belt!weigh(f, c)		/* should be s */
	   fi
	:: belt!done(0, 0);
	   break
	od
}

active proctype Weigher()
{
	mtype:fruit f;
	mtype:size s;

	do
	:: belt?label(f, s) ->
		printf("%e: ", f);
		printm(s)
	:: belt?weigh(f, s) ->
		assert(s == expected[f])
	:: belt?done(f, s) ->
		break
	od
}
