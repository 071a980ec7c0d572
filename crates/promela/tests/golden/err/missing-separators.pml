/* A missing `;` is one error, and the steps around it are still read. */
byte x, y;
active proctype A() {
  x = 1 y = 2;
  if :: x == 1 y = 3 :: else -> skip fi;
  x = = 2;
  y = 3 +
}
init { x = 1; y = 2 }
