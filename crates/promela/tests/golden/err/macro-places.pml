/* Errors in macros are shown where the macro is used. */
#define TWICE(a) a; a
#define BAD x = = 1
byte x;
init {
  TWICE(x = 1 +);
  BAD;
  TWICE(x = 1
     y = 2)
}
