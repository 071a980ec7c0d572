// A path through a large array, generalised for the reduced-instance guide of two formulas.
byte a[5000];
byte i;
active proctype P() { do :: a[i] = 1; i++ :: a[4000+i] = 2 od }
ltl p { [] (a[1] == 0) }
ltl q { [] (a[4001] == 0) }
