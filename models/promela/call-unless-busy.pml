/*
 * A caller who can be cut off at any statement of the call by a rendezvous in
 * the escape sequence, and who may put an answered call on hold.
 * The bug: when the line is cut the callee is not told, and waits for ever.
 *
 * expect: violated
 * property: deadlock
 * shortest: 9
 * stored: 50
 */
mtype = { ring, hello, bye };

chan line = [0] of { mtype };
chan cut = [0] of { bit };
byte calls;

active proctype Caller()
{
	do
	:: calls < 2 ->
		calls++;
		{
			line!ring;
			line?hello;
			{
				skip;
				line!bye
			} unless {
				calls == 2 -> line!bye	/* in a hurry */
			}
		} unless {
			cut?1
		}
	:: else -> break
	od
}

active proctype Callee()
{
end:	do
	:: line?ring ->
		line!hello;
		line?bye
	od
}

active proctype Exchange()
{
end:	do
	:: cut!1 -> break
	od
}
