//! Linear temporal logic to Büchi automata.
