// Sorted sends into a long channel.
chan c = [100] of { int };
active [3] proctype P() { int x; do :: c!!x; x++ :: c??x :: c??[5] -> x = 0 od }
