// Ten thousand successors of a state.
int x, y, z;
active [4] proctype P() { do :: select(x : 0 .. 10000) :: select(y : 0 .. 10000); z = x * y od }
