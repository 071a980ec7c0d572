// Every process creates two others.
proctype Q() { run Q(); run Q() }
active proctype P() { run Q() }
