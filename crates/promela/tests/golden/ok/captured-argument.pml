/* The last word of an argument is replaced once more: 31, not 3. */
inline f(a, b) { printf("%d %d\n", a, b) }
byte x = 1, b = 2, c = 30;
init { f(x + b, c); f(b + x, c); f(x + b, b) }
