#define N 3
byte i;
init { for (i : 0..N) { skip } }
init { for (i : ) { skip } }
