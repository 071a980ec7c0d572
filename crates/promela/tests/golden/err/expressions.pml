byte x; chan q = [1] of { byte };
active proctype P() {
  x = (1 + ;
  x = 1 +* 2;
  x = q?x;
  !full(q);
  full(q) == 1;
  (full(q) -> 1 : 2);
  x = P;
  x = P[0];
  x = P@;
  x = x[1;
  x = len(3);
  x = (x -> 1);
  x = a.3;
  x = 'ab';
  x = "text";
  x = #;
  x = @;
  x = 99999999999
}
ltl a { [] full(q) }
ltl b { [] }
ltl c { x == 1 }}
ltl d { (x }
