/* Things one might not expect to be accepted. */
byte in, x = 010, big = 4294967297
byte y int z; ; ->
mtype { red green, , blue };
hidden int h
chan q[2] = [3 * 2 - 1] of { byte, mtype }
active proctype P()
{ byte i; x = i;;; x = red -> skip
  ltl inside { [] (x < 9) }
  end: L: M:
  if :: x -> :: timeout
  :: else x = 2 fi
  do :: break od
  { x = 1 } x = 2
  in = 3
  for (i : 1 .. 2);
  { skip }
  for (i in q) { skip } unless { false }
  q[0]?(i, red); q[1]!i(red); q[0]??eval(x),blue; q[0]?-1,_
  assert x == 1 && (y -> 2 : 3);
  atomic { goto done };
  run Later() priority 3;
  x = 1
  -> x = 2
done:
}
proctype Later() { L: skip }
ltl late { <> (P@L || Later@L)
