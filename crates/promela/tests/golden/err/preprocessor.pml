#define F(x, y) x + y
#define G(x x
#define H(x) #y
#define 3
#define defined 1
#undef
#if
#endif
#if 1 +
#endif
#if 1 / 0
#endif
#if 0 && 1 / 0
#endif
#if (1
#endif
#elif 1
#else
#endif
#if 0
#else
#else
#endif
#include <stdio.h>
#include "missing.h"
#include missing
#frobnicate
#error this is wrong
#warning this is odd
byte x = F(1);
byte y = F(1, 2, 3);
#define PASTE(a, b) a ## b
byte z = PASTE(+, x);
#define M 1
#define M 2
#ifdef X
byte x = F(1,
