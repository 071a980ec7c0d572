/*
 * A relay race: the baton passes by rendezvous inside atomic sequences, and
 * with it the control.  Nobody else can move, and no claim looks, between the
 * sender's first step and the end of the receiver's block.
 *
 * expect: holds
 * property: safety
 * stored: 20
 * ltl undisturbed: holds
 */
chan baton = [0] of { byte };
byte laps, noise;
bool running;

active proctype First()
{
	do
	:: atomic {
		laps < 3 ->
		running = true;
		noise = 0;
		baton!laps;
		/* from here on in competition with everybody again */
		laps++
	   }
	:: laps == 3 -> break
	od
}

active proctype Second()
{
	byte lap;

end:	do
	:: atomic {
		baton?lap ->
		assert(running && noise == 0 && lap == laps);
		running = false
	   }
	od
}

active proctype Spectator()
{
end:	do
	:: noise == 0 && laps > 0 -> noise = 1
	od
}

ltl undisturbed { [] !running }
