#include "cli/bandwidths.h"

enum status measure_bandwidth(struct measuring *measuring, struct device *device, struct bandwidth_options how,
                              struct error *error)
{
    how.progress = measuring_progress;
    how.finished = measuring_keep;
    how.finished_context = measuring;
    return lab_bandwidth(device, &how, &measuring->list, error);
}
