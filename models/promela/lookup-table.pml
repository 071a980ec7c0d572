/*
 * Day of the year from month and day, with a table in an array initialiser,
 * for leap years too.
 *
 * expect: holds
 * property: safety
 * stored: 143
 */
byte days[13] = { 0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
short before[13] = -1;		/* every element */

proctype Year(bool leap)
{
	byte length[3] = { 0, 31, 28 };
	byte month;
	short sum;

	length[2] = (leap -> 29 : 28);
	for (month in days) {
		if
		:: month == 0
		:: month == 1 || month == 2 ->
			before[month] = sum;
			sum = sum + length[month]
		:: else ->
			before[month] = sum;
			sum = sum + days[month]
		fi
	}
	assert(sum == 365 + leap && before[0] == -1);
	assert(before[3] == (leap -> 60 : 59) && before[12] == 334 + leap)
}

init {
	run Year(false);
	_nr_pr == 1;
	run Year(true)
}
