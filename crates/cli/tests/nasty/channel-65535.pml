// The largest channel: as a relation it has a variable for every field of every message.
mtype = { m };
chan c = [65535] of { mtype, byte };
active proctype P() { byte x; do :: c!m,x :: c?m,x od }
