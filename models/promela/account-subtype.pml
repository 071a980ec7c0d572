/*
 * A bank with two classes of accounts.  Each owner pays a unit to the next
 * account of the bank: from the own account under its lock, then into the other
 * one under its lock.
 * The bug: the subclass has its own method for payments, which does not lock
 * the account that receives.
 *
 * expect: violated
 * property: assertion
 * shortest: 26
 * stored: 199
 * define: ORDINARY=1
 * define: SUBTYPE=1
 */
#ifndef ORDINARY
#define ORDINARY 1
#endif
#ifndef SUBTYPE
#define SUBTYPE 1
#endif
#define ACCOUNTS	(ORDINARY + SUBTYPE)
#define START	1

#define NEXT	((_pid + 1) % ACCOUNTS)

bool locked[ACCOUNTS];
byte balance[ACCOUNTS] = START;
byte finished;

#define acquire(a)	atomic { !locked[a] -> locked[a] = true }
#define release(a)	locked[a] = false

inline add(account, amount) {
	seen = balance[account];
	balance[account] = seen + amount;
	seen = 0
}

inline withdraw() {
	acquire(_pid);
	add(_pid, -1);
	release(_pid)
}

active [ORDINARY] proctype Account()
{
	byte seen;

	withdraw();
	acquire(NEXT);
	add(NEXT, 1);
	release(NEXT);
	finished++
}

active [SUBTYPE] proctype BusinessAccount()
{
	byte seen;

	withdraw();
	add(NEXT, 1);			/* without the lock */
	finished++
}

active proctype Auditor()
{
	byte i, sum;

	finished == ACCOUNTS;
	d_step {
		for (i : 0 .. ACCOUNTS - 1) {
			sum = sum + balance[i]
		}
	};
	assert(sum == ACCOUNTS * START)
}
