/*
 * The cigarette smokers: an agent lays two of three ingredients on the table,
 * and the smoker who has the third one should take both.
 * The bug: a smoker takes the ingredients one by one, and two smokers may take
 * one each.
 *
 * expect: violated
 * property: deadlock
 * shortest: 9
 * stored: 33
 */
bool table[3];
bool done = true;

active proctype Agent()
{
	byte missing;

	do
	:: done ->
		done = false;
		select (missing : 0 .. 2);
		table[(missing + 1) % 3] = true;
		table[(missing + 2) % 3] = true
	od
}

active [3] proctype Smoker()
{
	byte first = _pid % 3;
	byte second = (_pid + 1) % 3;

	do
	:: atomic { table[first] -> table[first] = false };
	   atomic { table[second] -> table[second] = false };
	   done = true
	od
}
