/*
 * Two telephones and the switch between them, one handler per telephone: the
 * first draft of a plain old telephone service (in the spirit of the POTS model
 * of Kamel and Leue).  The bugs: a subscriber signals to the handler through a
 * buffer, so that a receiver picked up to make a call is taken for the answer
 * to a bell that rings at the same moment, and a state of the handler expects
 * only some of the signals that can reach it.
 *
 * expect: violated
 * property: deadlock
 * shortest: 26
 * stored: 22384
 * ltl same_view: violated
 */
mtype = {
	off_hook, on_hook, number,		/* from the telephone */
	tone, busy, bell, through,		/* to the telephone */
	call, engaged, answer, clear		/* between the handlers */
};

chan hook[2] = [1] of { mtype };
chan ear[2] = [0] of { mtype };
chan trunk[2] = [1] of { mtype };

proctype User(bit me)
{
idle:	if
	:: hook[me]!off_hook -> goto lifted
	:: ear[me]?bell -> hook[me]!off_hook; goto talking
	:: ear[me]?tone -> goto idle
	:: ear[me]?busy -> goto idle
	:: ear[me]?through -> goto idle
	fi;
lifted:	if
	:: ear[me]?tone -> hook[me]!number; goto waiting
	:: ear[me]?bell -> goto lifted
	:: ear[me]?busy -> goto hang_up
	:: ear[me]?through -> goto talking
	:: goto hang_up
	fi;
waiting: if
	:: ear[me]?through -> goto talking
	:: ear[me]?busy -> goto hang_up
	:: ear[me]?bell -> goto waiting
	:: goto hang_up
	fi;
talking: if
	:: ear[me]?busy -> goto hang_up
	:: goto hang_up
	fi;
hang_up:
	hook[me]!on_hook;
	goto idle
}

proctype Handler(bit me)
{
	bit peer = 1 - me;

idle:	if
	:: hook[me]?off_hook -> ear[me]!tone; goto dialling
	:: hook[me]?on_hook -> goto idle
	:: hook[me]?number -> goto idle
	:: trunk[me]?call -> ear[me]!bell; goto ringing
	:: trunk[me]?engaged -> goto idle
	:: trunk[me]?answer -> trunk[peer]!clear; goto idle
	:: trunk[me]?clear -> goto idle
	fi;
dialling: if
	:: hook[me]?number -> trunk[peer]!call; goto calling
	:: hook[me]?on_hook -> goto idle
	:: trunk[me]?call -> trunk[peer]!engaged; goto dialling
	:: trunk[me]?clear -> goto dialling
	fi;
calling: if
	:: trunk[me]?answer -> ear[me]!through; goto conversation
	:: trunk[me]?engaged -> ear[me]!busy; goto ended
	:: trunk[me]?call -> trunk[peer]!engaged; goto calling
	:: trunk[me]?clear -> goto calling
	:: hook[me]?on_hook -> trunk[peer]!clear; goto idle
	fi;
ringing: if
	:: hook[me]?off_hook -> trunk[peer]!answer; goto conversation
	:: hook[me]?on_hook -> goto ringing
	:: trunk[me]?clear -> goto idle
	fi;
conversation: if
	:: hook[me]?on_hook -> trunk[peer]!clear; goto idle
	:: trunk[me]?clear -> ear[me]!busy; goto ended
	fi;
ended:	if
	:: hook[me]?on_hook -> goto idle
	:: trunk[me]?call -> trunk[peer]!engaged; goto ended
	:: trunk[me]?clear -> goto ended
	fi
}

init {
	atomic { run User(0); run User(1); run Handler(0); run Handler(1) }
}

ltl same_view {
	!<> (User[1]@talking && User[2]@talking
		&& Handler[3]@conversation && !Handler[4]@conversation)
}
