/*
 * A mailbox that keeps letters in order of urgency (sorted send), from which a
 * reader takes any letter of its own (random receive) after looking into it
 * without taking anything (polls and copies).
 *
 * expect: holds
 * property: safety
 * stored: 5130
 */
mtype = { urgent, normal, none };

chan box = [3] of { byte, mtype, byte };	/* rank, kind, addressee */

active proctype Office()
{
	/* two letters for reader 1, the urgent one later, and one for reader 2 */
	byte sent;

	do
	:: sent < 3 ->
		if
		:: sent == 0 -> box!!2, normal, 1
		:: sent == 1 -> box!!1, urgent, 1
		:: else -> box!!3, normal, 2
		fi;
		sent++
	:: else -> break
	od
}

active [2] proctype Reader()
{
	byte rank, mine;
	mtype kind;

	if
	:: _pid == 1 -> mine = 2
	:: else -> mine = 1
	fi;
	do
	:: mine == 0 -> break
	:: box?[rank, urgent, eval(_pid)] ->	/* an urgent one on top? */
		box?rank, urgent, eval(_pid);
		assert(rank == 1);
		mine--
	:: box??[rank, normal, eval(_pid)] ->	/* a plain one anywhere? */
		box?? <rank, kind, eval(_pid)>;
		assert(kind == normal || kind == urgent);
		box??eval(rank), kind, eval(_pid);
		mine--
	:: box?<rank, kind, _> ->
		/* only a look at the first one: the ranks are in order */
		assert(rank <= 3 && kind != none)
	od
}
