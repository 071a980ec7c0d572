// Thousands of processes.
byte n;
proctype W(int k) { do :: n = n + k :: n = n * k od }
init { int i; for (i : 0 .. 20000) { run W(i) } }
