// A large array: its layout, its analyses and every copy of a state.
bool wants[1000000];
active proctype P() { do :: wants[0] = !wants[0] od }
