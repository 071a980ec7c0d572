/* A test-and-set lock, shared by several models. */
#ifndef LOCKS_H
#define LOCKS_H

typedef Lock {
	bool held;
	pid owner
};

#define acquire(l) \
	atomic { \
		!l.held -> \
		l.held = true; \
		l.owner = _pid \
	}

#define release(l) \
	d_step { \
		assert(l.held && l.owner == _pid); \
		l.held = false; \
		l.owner = 0 \
	}

#endif
