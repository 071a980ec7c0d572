mtype = { m1, m2 }
typedef T { byte f; byte g[2] }
T s; byte a, b; chan c = [1] of { byte, mtype }
inline set(v, e) { v = e }
inline both(p, r) {
  set(p, r)
  if :: p > r -> set(r, p); goto out
  :: else
  fi
out: skip
}
inline ret(n) { atomic { a = n; return n * 2 } }
inline lab(l) { l: goto l }
inline emp() { skip }
active proctype P() {
  byte z;
  both(a, b)
  both(s.f, s.g[1]);
  z = ret(a + 1)
  set(z, (a -> 1 : 2))
  set(s.g[0], len(c) - 1)
  emp(); emp()
}
