byte x, y
chan q = [1] of { byte }
active proctype A()
{
  byte i
  x = 1
  y = 2
  if
  :: x == 1
     y = 3
  :: else
     skip
  fi
  do
  :: x++
     break
  :: timeout
     x = 2
  :: else
  od
  {
    x = 3
  }
  unless
  {
    y == 4
  }
  for (i : 1 .. 2)
  {
    x--
  }
  atomic
  {
    q!x
    q?y
  }
L:
  (x > 1 ->
   1 : 2)
  x = y +
    3
}
typedef T {
  byte a
  byte b[2]
}
T t
init
{
  t.a = 1
  t.b[0] = 2; ; t.a = 3 ;
}
