// An atomic sequence without end.
int x;
active proctype P() { atomic { do :: x < 2000000000 -> x++ :: x > 5 -> x-- od } }
