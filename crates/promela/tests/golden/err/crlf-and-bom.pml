byte x;
init {
  x = ;
}
