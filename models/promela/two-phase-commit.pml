/*
 * Two-phase commit: the coordinator collects the votes and announces the
 * outcome, which may get lost.
 * The bug: a participant that has voted yes and hears nothing aborts on its own.
 *
 * expect: violated
 * property: assertion
 * shortest: 23
 * stored: 765
 * define: N=2
 */
#ifndef N
#define N 2
#endif

mtype = { undecided, yes, no, commit, abort };

chan vote = [N] of { mtype };
chan outcome[N] = [1] of { mtype };
mtype decision = undecided;

active [N] proctype Participant()
{
	mtype mine = undecided;

	if
	:: vote!yes;
	   if
	   :: outcome[_pid]?mine
	   :: timeout -> mine = abort	/* should ask the others */
	   fi
	:: vote!no;
	   mine = abort
	fi;
	assert(decision == undecided || mine == decision)
}

active proctype Coordinator()
{
	byte i;
	bool all = true;

	for (i : 1 .. N) {
		if
		:: vote?yes
		:: vote?no -> all = false
		fi
	}
	decision = (all -> commit : abort);
	for (i : 0 .. N - 1) {
		if
		:: outcome[i]!decision
		:: skip				/* lost */
		fi
	}
}
