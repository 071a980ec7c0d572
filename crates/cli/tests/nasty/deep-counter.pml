// A violation a million steps deep: found, replayed, minimised and shown in time.
#define N 1000000
int x;
active proctype P() { do :: x < N -> x++ :: else -> assert(false) od }
