byte x, y; bool b; chan q = [2] of { byte }
ltl a { [] (x == 1 -> <> (y > 2)) }
active proctype P() { byte k; L: x = 1; goto L }
ltl bb { b U (x + 1 < y && !b) || [] <> b }
ltl { always (b implies eventually !b) }
ltl d { (b W (x > 0)) && (b V b) <-> (P@L || P[0]:k == 1) -> true }
ltl e { (len(q) == 1) release (q?[1]) ; }
init { skip }
