#include "user_a.h"
int b;
