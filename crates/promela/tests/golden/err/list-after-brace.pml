/* Spin makes up a `;` after every `}` here. */
chan a = [1] of { byte }, b = [1] of { byte };
byte c[2] = { 1, 2 }, d;
init { skip }
