c_decl { typedef struct { int x; } S; };
c_state "S s" "Global"
c_track "&s" "sizeof(S)"
byte x;
init {
  c_code { now.x = 1; if (now.x) { printf("}"); } };
  c_expr { now.x == 1 } -> x = 2;
  c_code [x > 0] { x = '}'; }
  x = = 3
}
