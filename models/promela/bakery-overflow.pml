/*
 * Lamport's bakery: who wants to be served draws a number higher than all
 * others, and the lowest number is served.
 * The bug: the numbers have two bits and start again at zero, which also means
 * that the customer does not want anything.
 *
 * expect: violated
 * property: assertion
 * shortest: 31
 * stored: 372
 */
typedef Ticket {
	unsigned number : 2;
	bool choosing
};

Ticket ticket[2];
byte inside;

active [2] proctype Customer()
{
	pid other = 1 - _pid;

	do
	:: ticket[_pid].choosing = true;
	   ticket[_pid].number = ticket[other].number + 1;
	   ticket[_pid].choosing = false;

	   !ticket[other].choosing;
	   (ticket[other].number == 0
		|| ticket[_pid].number < ticket[other].number
		|| ticket[_pid].number == ticket[other].number && _pid < other);
	   inside++;
	   assert(inside == 1);
	   inside--;
	   ticket[_pid].number = 0
	od
}
