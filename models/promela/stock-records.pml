/*
 * A store room kept in records: arrays in records, records in records and
 * records as messages.
 * The bug: the clerk checks the stock of one shelf and takes from another one
 * of the same article when two orders come together.
 *
 * expect: violated
 * property: assertion
 * shortest: 18
 * stored: 76891
 */
typedef Shelf {
	short pieces = 1;
	bool reserved[2]
};

typedef Article {
	byte number;
	Shelf shelf[2]
};

typedef Order {
	byte article;
	bit shelf;
	byte customer
};

Article store[2];
chan orders = [2] of { Order };

active [2] proctype Customer()
{
	Order o;

	o.customer = _pid;
	o.article = 1;
	do
	:: o.shelf = _pid;
	   orders!o
	:: break
	od
}

active [2] proctype Clerk()
{
	Order o;
	byte n;

end:	do
	:: orders?o ->
		n = o.article;
		if
		:: store[n].shelf[o.shelf].pieces > 0 ->
			store[n].shelf[o.shelf].reserved[o.customer] = true;
			store[n].shelf[o.shelf].pieces--;
			store[n].number = o.article;
			assert(store[n].shelf[o.shelf].pieces >= 0)
		:: else
		fi
	od
}
