/*
 * A farmer, a wolf, a goat and a cabbage have to cross a river in a boat for
 * the farmer and one more.  The failing assertion is the solution.
 *
 * expect: violated
 * property: assertion
 * shortest: 21
 * stored: 29
 */
bool farmer, wolf, goat, cabbage;	/* on the far bank? */

#define eaten	(goat != farmer && (goat == wolf || goat == cabbage))

inline carry(what) {
	atomic {
		!eaten && what == farmer ->
		what = !what;
		farmer = !farmer
	}
}

init {
	do
	:: carry(wolf)
	:: carry(goat)
	:: carry(cabbage)
	:: atomic { !eaten -> farmer = !farmer }
	:: eaten -> break		/* a lost game */
	:: !eaten && wolf && goat && cabbage -> assert(false)
	od
}
