/*
 * A store room kept in records: arrays in records, records in records and
 * records as messages.
 * The bug: a clerk looks whether the shelf is empty and takes the piece later,
 * when another clerk may have taken it.
 *
 * expect: violated
 * property: assertion
 * shortest: 22
 * stored: 1350
 */
typedef Shelf {
	short pieces = 1;
	bool touched[2]
};

typedef Article {
	byte number;
	Shelf shelf[2]
};

typedef Order {
	byte article;
	bit shelf
};

Article store[2];
chan orders = [1] of { Order };

active proctype Customer()
{
	Order o;

	o.article = 1;
	do
	:: orders!o;
	   o.shelf = 1
	:: break
	od
}

active [2] proctype Clerk()
{
	bit me = _pid - 1;
	Order o;

end:	do
	:: orders?o ->
		if
		:: store[o.article].shelf[o.shelf].pieces > 0 ->
			store[o.article].shelf[o.shelf].touched[me] = true;
			store[o.article].shelf[o.shelf].pieces--;
			store[o.article].number = o.article;
			assert(store[o.article].shelf[o.shelf].pieces >= 0)
		:: else
		fi
	od
}
