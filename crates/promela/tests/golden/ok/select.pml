/* Spin itself writes out a `select` between two numbers, unless it stands in an inline. */
#define TOP 5
byte i, my_i; int j
inline pick(v) { select (v : 0 .. 1) }
init {
  select (i : 3 .. TOP);
  select (i : 0 .. 40)
  select (my_i : 0 .. 1)
  select (j : -1 .. 1);
  select (i : 1 .. i + 1);
  pick(i)
  if :: select (i : 0 .. 0) :: else fi
}
