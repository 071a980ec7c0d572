// Nested records and arrays: 312,000 values.
typedef A { byte x[100]; int y };
typedef B { A a[100] };
typedef C { B b[30] };
C c;
active proctype P() { do :: c.b[1].a[2].x[3]++ :: c.b[2].a[3].y-- od }
