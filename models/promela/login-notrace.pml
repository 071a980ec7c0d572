/*
 * A login with three attempts, and a notrace: a sequence of messages that must
 * not be possible, namely a password accepted after two refusals.
 * The bug: the third attempt is not counted.
 *
 * expect: violated
 * property: trace
 * shortest: 16
 * stored: 20
 */
mtype = { password, accepted, refused };

chan ask = [0] of { mtype };
chan say = [0] of { mtype };

active proctype User()
{
end:	do
	:: ask!password;
	   if
	   :: say?refused
	   :: say?accepted -> break
	   fi
	od
}

active proctype Host()
{
	byte failures;

	do
	:: ask?password ->
		if
		:: failures <= 2 ->	/* should be < 2 */
			if
			:: say!accepted; break
			:: say!refused; failures++
			fi
		:: else -> say!refused
		fi
	od
}

notrace {
	say!refused;
	say!refused;
	say!accepted
}
