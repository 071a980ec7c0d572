/* Tokens of a macro stand on the line of its name, what follows a call of several lines on its own. */
#define N 2
#define SET(v, e) v = e; \
                  printf("%d\n", v)
#define CAT(a, b) a ## b
#define TEXT(x) #x
#define LOOP do :: x < N
#define POOL od
#include "included.inc"
byte x, CAT(y, 1), a[N + 1] = { 1, 2, 3 };
#if defined(N) && N > 1
active [N] proctype P() {
  SET(x,
      1); x = 2
  SET(y1, CAT(x, )); /* one
     comment */ x = 3
  LOOP -> x++ :: else -> break POOL;
  printf(TEXT(x + 1));
  x = __LINE__ + 'a' + '\n' + '\\' + ''';
  included(x)
}
#else
syntax error
#endif
