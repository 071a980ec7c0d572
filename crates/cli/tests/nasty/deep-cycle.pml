// A cycle of three hundred thousand steps.
int x;
active proctype P() { do :: x < 300000 -> x++ :: else -> x = 0 od }
ltl p { []<> (x == 5 && false) }
