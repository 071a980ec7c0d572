byte x; chan q = [1] of { byte };
proctype P() { skip }
proctype P() { skip }
inline sum(a, b) { x = a + b }
inline loop(a) { x = a; loop(a) }
inline ping(a) { pong(a) }
inline pong(a) { ping(a) }
inline broken() { x = }
inline value() { return 3 }
init {
  goto 3;
  L: byte y;
  for (x : 1 . 3) { skip };
  for x : 1 .. 3 { skip };
  select (x = 1 .. 3);
  select (x : 9 .. 3);
  sum(1);
  sum(x = 1, 2);
  loop(1);
  ping(2);
  broken();
  broken();
  value();
  return 4;
  q?x+1;
  q!;
  printf(x);
  assert;
  run 3();
  else = 3;
  x = sum;
  P = 3;
  break 3;
  unless { skip };
  :: skip
}
