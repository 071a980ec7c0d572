/*
 * Values are cut to the width of the variable, message field or parameter that
 * takes them, while arithmetic itself is done in 32 bits.
 *
 * expect: holds
 * property: safety
 * stored: 33
 */
mtype = { low, high };

bit t;
bool flag;
byte b = 255;
pid p;
short s = 32767;
int i = 2147483647;
unsigned u : 3 = 7;
mtype m = high;
byte early = 300;		/* cut as well: 44 */

chan narrow = [1] of { bit, byte, short };

proctype Param(bit x; byte y; short z)
{
	assert(x == 1 && y == 254 && z == -2)
}

init {
	short back;

	assert(early == 44);
	assert(b + 1 == 256);
	assert(s + 1 == 32768);
	b++;
	assert(b == 0);
	b--;
	assert(b == 255);
	s++;
	assert(s == -32768);
	i++;
	assert(i < 0 && i == -2147483647 - 1);
	u = u + 3;
	assert(u == 2);
	u = -1;
	assert(u == 7);
	t = 2;
	assert(t == 0);
	flag = 3;
	assert(flag == true);
	p = -1;
	assert(p == 255);
	m = 256 + low;
	assert(m == low);
	back = b - 256;
	assert(back == -1 && -7 / 2 == -3 && -7 % 2 == -1 && (-8 >> 1) == -4);

	narrow!3, 511, 65535;
	narrow?t, b, back;
	assert(t == 1 && b == 255 && back == -1);

	run Param(5, -2, 65534)
}
