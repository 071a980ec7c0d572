// Loops of jumps and skips.
active proctype P() { do :: goto a; a: skip :: skip :: true od }
