/* What the made-up NVML says; the test opens the same shared object and finds this struct as `fake_nvml`. */
#pragma once

struct fake_nvml {
    unsigned long long reasons, millijoules;
    unsigned megahertz;
    int has_no_energy; /* older GPUs give an error */
};
