/*
 * Greatest common divisors with inlines: one that returns a value, one that
 * calls another, one with variables of its own.
 *
 * expect: holds
 * property: safety
 * stored: 58
 */
inline gcd(a, b) {
	int x, y, rest;

	x = a;
	y = b;
	do
	:: y != 0 ->
		rest = x % y;
		x = y;
		y = rest
	:: else -> break
	od;
	return x
}

inline check(u, v, want) {
	result = gcd(u, v);
	assert(result == want)
}

active proctype Euclid()
{
	int result;

	check(12, 18, 6);
	check(17, 5, 1);
	check(result * 7, 21, 7)
}
