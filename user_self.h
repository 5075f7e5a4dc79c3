#include "user_self.h"
