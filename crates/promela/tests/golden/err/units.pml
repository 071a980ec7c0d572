/* Each unit is wrong in its own way; all are reported. */
proctyp A() { skip }
proctype B( { skip }
proctype C(byte a = 3) { skip }
active [N proctype D() { skip }
init skip }
typedef E { byte a; int }
mtype = { };
mtype = { a, b, a };
mtype = { b };
int: foo x;
inline f(a { skip }
inline g(a) skip
never { }
ltl p ] x }
