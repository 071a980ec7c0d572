init { x = "abc
}
/* never ends
