byte x;
proctype A() {
  if
  :: x == 1 -> x = 2
  :: else ->
     do :: x++ :: break
  fi
}
proctype B() {
  atomic { x = 1;
proctype C() {
  x = 2
}
init { skip
