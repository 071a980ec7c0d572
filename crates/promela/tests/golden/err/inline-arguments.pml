typedef T { byte v }
T t; byte b, c;
inline f(a, b) { a = b }
inline g(v) { v = 1 }
init {
  f(b, c);   /* `b` is the other parameter */
  f(c, c + b);   /* its own parameter: endless in Spin */
  g(t.v)
}
