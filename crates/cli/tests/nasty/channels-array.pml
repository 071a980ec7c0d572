// Channels that hold half a megabyte.
chan c[250] = [200] of { int, int, short, byte };
active [10] proctype P() { int x; do :: c[x]!x,x,x,x; x = (x + 1) % 250 :: c[x]?x,_,_,_ od }
