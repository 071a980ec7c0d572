/*
 * A sender appends a three-bit check sum to each byte, a noisy line may flip
 * one bit, and the receiver must notice.  All the operators of Promela at work.
 *
 * expect: holds
 * property: safety
 * stored: 1346
 */
#define POLY	11		/* x^3 + x + 1 */

chan line = [0] of { short };

inline remainder(word) {
	crc = word;
	i = 10;
	do
	:: i >= 3 ->
		crc = ((crc & (1 << i)) != 0 -> crc ^ (POLY << (i - 3)) : crc);
		i--
	:: i < 3 -> break
	od
}

active proctype Sender()
{
	short data, crc, i, flip;

	if
	:: data = 'a'
	:: data = 255
	:: data = ~0 & 170
	fi;
	remainder(data << 3);
	select (i : 0 .. 11);
	flip = (i == 11 -> 0 : 1 << i);
	line!((data << 3) | crc) ^ flip
}

active proctype Receiver()
{
	short word, crc, i;
	bool ok;

	line?word;
	remainder(word);
	ok = !crc;
	assert(ok || crc > 0 && crc < 8);
	/* what is accepted is what was sent */
	assert(!ok || (word >> 3 == 97 || word / 8 == 255 || (word - word % 8) == 8 * 170));
	assert(ok == (crc == 0) && -crc <= 0 && !(crc >= 8) && crc != -1)
}
