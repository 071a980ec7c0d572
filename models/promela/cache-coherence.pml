/*
 * Two caches that keep one memory cell coherent over a shared bus: a cell is
 * invalid, shared or modified in a cache, and a cache that wants to write makes
 * the other one give its copy up.  The bus does one transaction at a time.
 *
 * expect: holds
 * property: safety
 * stored: 62
 * ltl single_writer: holds
 * ltl fresh: holds
 */
mtype = { invalid, shared, modified };

typedef Line {
	mtype state = invalid;
	bit value
};

Line line[2];
bit memory, latest;

inline write_back(who) {
	if
	:: line[who].state == modified -> memory = line[who].value
	:: else
	fi
}

active [2] proctype Cache()
{
	pid other = 1 - _pid;

	do
	:: atomic {			/* read miss */
		line[_pid].state == invalid ->
		write_back(other);
		if
		:: line[other].state == modified -> line[other].state = shared
		:: else
		fi;
		line[_pid].value = memory;
		line[_pid].state = shared
	   }
	:: atomic {			/* write miss, or upgrade */
		line[_pid].state != modified ->
		write_back(other);
		line[other].state = invalid;
		line[other].value = 0;
		line[_pid].value = memory;
		line[_pid].state = modified
	   }
	:: atomic {			/* write hit */
		line[_pid].state == modified ->
		line[_pid].value = 1 - latest;
		latest = 1 - latest
	   }
	:: atomic {			/* eviction */
		line[_pid].state != invalid ->
		write_back(_pid);
		line[_pid].state = invalid;
		line[_pid].value = 0
	   }
	:: line[_pid].state != invalid ->	/* read hit */
		assert(line[_pid].value == latest || line[_pid].state == invalid
			|| line[other].state == modified)
	od
}

ltl single_writer { [] !(line[0].state == modified && line[1].state != invalid) }
ltl fresh { [] (line[0].state != invalid -> line[0].value == latest) }
