/* A comment /* that ends once */ */
int c;
active proctype P() {
  if :: c == 0 --> c = 1 */ :: c !!= 0 -> c = c <=< 1 + c >=> 1 fi;
  c--
}
chan STDIN
active proctype Q() { STDIN?c }
