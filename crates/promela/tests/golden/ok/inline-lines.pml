/* `timeout` is not put in parentheses in an inline, so a line end behind it does not count. */
byte x;
inline wait() {
  if
  :: timeout;
     x = 1
  fi
}
inline nested(v) {
  wait()
  v++
}
active proctype P() {
  nested(x)
  x = 2
  if :: timeout
        x = 3
  fi
}
