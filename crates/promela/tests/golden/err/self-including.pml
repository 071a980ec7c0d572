#include "self-including.pml"
