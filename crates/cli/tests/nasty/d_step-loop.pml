// A deterministic step of two billion statements.
int x;
active proctype P() { d_step { do :: x < 2000000000 -> x++ :: else -> break od }; assert(x == 0) }
