// More states than fit into any memory, each cheap.
byte a[64];
active [8] proctype P() { byte i; do :: a[_pid * 8 + i]++ :: i = (i + 1) % 8 od }
