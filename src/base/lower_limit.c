#include "base/lower_limit.h"

void lower_limit(int resource, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(resource, &now) == 0 && now.rlim_max > most)
        setrlimit(resource, &(struct rlimit){now.rlim_cur < most ? now.rlim_cur : most, most});
}
