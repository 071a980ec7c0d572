#define N 3
#define EV(x) eval(x)
mtype = { ack, nak, err };
mtype:fruit = { apple, pear };
typedef Rec { byte a; bit b[2]; mtype m }
typedef Out { Rec r[2]; chan c; unsigned u : 3 }
chan q = [2] of { mtype, byte };
chan rv = [0] of { Rec };
hidden byte hid; show int shown = 2 * (3 + 1);
local bool loc; short sh[N] = { 1, 2, 3 };
mtype:fruit fr = apple;
unsigned w : 4 = 5;
Out o;
inline inc(v, by) { v = v + by; printf("inc %d\n", v) }
inline twice(v) { inc(v, 1) inc(v, 2) }
inline get(k) { if :: k > 2 -> return k :: else -> return 0 fi }
proctype P(byte x, y; chan c) priority 2 provided (hid > 0) {
  byte i; int t = 3;
  xr o.c;
  atomic { i = x + y * 2 - -1; i++; i-- };
  d_step { t = (i > 2 -> i : 3); t = ~t };
  do
  :: q!ack,1 -> q!nak(2)
  :: q!!err(i)
  :: q?ack,i; q?nak(i)
  :: q??err,_ ; q?<ack,i>; q??<ack,EV(i)>
  :: q?[ack,i] && len(q) < 2 -> break
  :: full(q) && (empty(rv) || i == 2) -> goto done
  :: timeout -> break
  :: i == 9
  od unless { t == 5 };
  for (i : 0 .. N-1) { sh[i] = i }
  for (i in sh) { skip }
  select (i : 1 .. 3);
  select (i : 1 .. t);
  twice(t);
  t = get(i)
  o.r[0].a = 1; o.r[i].b[1] = !o.u;
  if :: (t >= 1 && t <= 4) || !(t != 3) -> t = t << 1 | t >> 2 & t ^ 7
     :: else -> skip
  fi
  assert(t == 'a' || t % 2);
  printm(ack); printf("%e %d", o.r[0].m, t)
  t = run Q(); t = pc_value(2) + get_priority(_pid);
  set_priority(_pid, 3);
done: end1: accept_x:
  { skip; t = _nr_pr }
  run Q() priority 4
}
active [2] D_proctype Q() { false }
active proctype R() { skip; L: goto L }
init priority 1 { atomic { run P(1, 2, q); run Q() } }
never { do :: R[0]@L -> skip :: P:i == 2 :: np_ :: true od }
trace { do :: q!ack,_ :: q?nak,_ od }
ltl p1 { [] (hid == 1 -> <> (shown > 2)) && !(loc U (w == 1)) }
ltl { always eventually R@L implies (loc V loc) <-> true }
