/*
 * A cashier hands money to a clerk by rendezvous inside an atomic sequence.
 * The bug: the cashier believes to be undisturbed afterwards as well, but the
 * control stays with the clerk, and when the clerk's block ends a thief may be
 * faster.
 *
 * expect: violated
 * property: assertion
 * shortest: 7
 * stored: 19
 */
chan counter = [0] of { byte };
byte till = 3, safe;

active proctype Cashier()
{
	atomic {
		counter!2;
		till = till - 2;
		assert(till + safe == 3)
	}
}

active proctype Clerk()
{
	byte amount;

	atomic {
		counter?amount;
		safe = safe + amount
	}
}

active proctype Thief()
{
	if
	:: atomic { safe > 0 -> safe-- }
	:: skip
	fi
}
