#pragma once
#include "user_b.h"
int a;
