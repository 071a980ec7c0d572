/*
 * A traffic light for cars and one for walkers, and formulas that use every
 * temporal operator in both of its spellings.
 * The bug: the button is reset at the end of a cycle, so a walker who presses
 * it after the green phase is forgotten.
 *
 * expect: holds
 * property: safety
 * stored: 27
 * ltl exclusive: holds
 * ltl answered: violated
 * ltl red_until_green: violated
 * ltl red_until_green fair: holds
 * ltl weak_until: holds
 * ltl released: holds
 * ltl released_word: violated
 * ltl dual: holds
 * ltl same: holds
 * ltl cars_pass: violated
 * ltl cars_pass fair: holds
 * ltl walk: violated
 * ltl walk fair: holds
 * ltl kept: violated
 * ltl no_clash: holds
 * ltl ltl_0: holds
 */
mtype = { red, yellow, green };

mtype cars = green, walkers = red;
bool pressed;

active proctype Light()
{
end:	do
	:: pressed ->
		cars = yellow;
		cars = red;
		walkers = green;
		walkers = red;
		pressed = false;
		cars = green
	od
}

active proctype Walker()
{
	do
	:: pressed = true
	:: pressed -> break
	od
}

#define cars_go	(cars == green)
#define walk_go	(walkers == green)

ltl exclusive { [] !(cars_go && walk_go) }
ltl answered { [] (pressed -> <> walk_go) }
ltl red_until_green { (walkers == red) U walk_go }
ltl weak_until { (walkers == red) W (cars == red) }
ltl released { pressed V cars_go }
ltl released_word { walk_go release cars_go }
ltl dual { !(cars_go U walk_go) <-> (!cars_go V !walk_go) }
ltl same { (always cars_go) equivalent (!(eventually !cars_go)) }
ltl cars_pass { always (!cars_go implies eventually cars_go) }
ltl walk { eventually walk_go }
ltl kept {
	(cars_go until pressed)
	&& always (pressed implies (pressed weakuntil (cars == yellow)))
}
ltl no_clash { [] (walk_go -> !cars_go) && !<> (cars_go && walk_go) || false }
ltl { [] (cars != 0) }
