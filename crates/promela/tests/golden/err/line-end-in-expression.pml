byte x;
init {
  x = 1
    + 2;
  (x == 1)
  && x
}
