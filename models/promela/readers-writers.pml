/*
 * Readers and writers of one file: readers share it, a writer is alone.
 * Safe, but a stream of overlapping readers keeps a writer out for ever.
 *
 * expect: holds
 * property: safety
 * stored: 31
 * ltl exclusive: holds
 * ltl written: violated
 * define: READERS=3
 */
#ifndef READERS
#define READERS 3
#endif
#define WRITERS	2

byte readers;
bool writing;

active [READERS] proctype Reader()
{
	do
	:: atomic { !writing -> readers++ };
	   assert(!writing);
	   readers--
	od
}

active [WRITERS] proctype Writer()
{
	do
	:: atomic { (!writing && readers == 0) -> writing = true };
	   assert(readers == 0);
	   writing = false
	od
}

ltl exclusive { [] !(writing && readers > 0) }
ltl written { []<> writing }
