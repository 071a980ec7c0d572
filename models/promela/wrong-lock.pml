/*
 * Threads of two classes change the same counter under a lock.
 * The bug: one class locks the counter, the other one a lock of its own.
 *
 * expect: violated
 * property: assertion
 * shortest: 8
 * stored: 263
 * define: RIGHT=1
 * define: WRONG=2
 */
#ifndef RIGHT
#define RIGHT 1
#endif
#ifndef WRONG
#define WRONG 2
#endif

bool data_lock, class_lock;
byte value;

#define acquire(l)	atomic { !l -> l = true }
#define release(l)	l = false

active [RIGHT] proctype LocksData()
{
	byte seen;

	acquire(data_lock);
	seen = value;
	value = seen + 1;
	assert(value == seen + 1);
	release(data_lock)
}

active [WRONG] proctype LocksClass()
{
	acquire(class_lock);
	value++;
	release(class_lock)
}
