/*
 * A railroad crossing with two tracks and a gate that goes down when a train
 * comes near and up when a train has left.
 * The bug: the gate goes up although there is another train on the other track.
 *
 * expect: violated
 * property: assertion
 * shortest: 13
 * stored: 46
 * define: TRACKS=2
 */
#ifndef TRACKS
#define TRACKS 2
#endif

mtype = { coming, gone };

chan sensor = [0] of { mtype };
bool down;

active [TRACKS] proctype Train()
{
	do
	:: sensor!coming;
	   /* far enough away for the gate to move */
	   down;
	   assert(down);		/* on the crossing */
	   sensor!gone
	od
}

active proctype Gate()
{
	do
	:: sensor?coming -> down = true
	:: sensor?gone -> down = false	/* should count the trains */
	od
}
