/*
 * Tasks of a spacecraft share a device that must stay on while anybody uses it.
 * Each task notes itself as a user and waits until the device is on; the last
 * one to leave switches it off.  Monitors look at it all the time.
 * The bug: a task that finds nobody else switches off in a second step, and
 * another task may have come in between.
 *
 * expect: violated
 * property: assertion
 * shortest: 13
 * stored: 99
 * define: TASKS=2
 * define: MONITORS=1
 */
#ifndef TASKS
#define TASKS 2
#endif
#ifndef MONITORS
#define MONITORS 1
#endif

byte users, working;
bool on;

active [TASKS] proctype Task()
{
	do
	:: users++;
	   if
	   :: !on -> on = true
	   :: on
	   fi;
	   working++;
	   working--;
	   users--;
	   if
	   :: users == 0 -> on = false
	   :: users > 0
	   fi
	od
}

active [MONITORS] proctype Monitor()
{
	do
	:: atomic { working > 0 -> assert(on) }
	od
}
