#include "distributed/ranks/cost_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/size.h"
#include "base/statistics.h"

#define LONG_MESSAGE ((size_t)4 << 20)
#define ROUNDS 40

/* One message there and back; the first rank measures the time of both. */
static enum status round_trip(const struct ranks *ranks, void *data, size_t bytes, double *taken, struct error *error)
{
    void *message = NULL;
    int peer = ranks->rank == 0 ? ranks->count - 1 : 0;
    int64_t begin = clock_now();
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < 2; i++) {
        bool sends = (ranks->rank == 0) == (i == 0);
        status = sends ? ranks_send(ranks, data, bytes, peer, &message, error)
                       : ranks_receive(ranks, data, bytes, peer, &message, error);
        if (message) {
            enum status ended = ranks_wait(ranks, &message, 1, error);
            status = status == STATUS_OK ? ended : status;
        }
    }
    *taken = (double)(clock_now() - begin);
    return status;
}

static enum status median_of_trips(const struct ranks *ranks, void *data, size_t bytes, double *median,
                                   struct error *error)
{
    double taken[ROUNDS];
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < ROUNDS; i++)
        status = round_trip(ranks, data, bytes, &taken[i], error);
    *median = status == STATUS_OK ? statistics_median(taken, ROUNDS) / 2 : 0;
    return status;
}

enum status link_measure(const struct ranks *ranks, struct link *link, struct error *error)
{
    *link = (struct link){0};
    if (ranks->count < 2)
        return STATUS_OK;
    double whole = 0;
    void *data = NULL;
    enum status status = ranks_agree(ranks, method_allocate(&data, LONG_MESSAGE, error), error);
    if (status == STATUS_OK && (ranks->rank == 0 || ranks->rank == ranks->count - 1)) {
        memset(data, 1, LONG_MESSAGE);
        status = median_of_trips(ranks, data, 8, &link->latency, error);
        if (status == STATUS_OK)
            status = median_of_trips(ranks, data, LONG_MESSAGE, &whole, error);
    }
    free(data);
    status = ranks_agree(ranks, status, error);
    if (status == STATUS_OK && whole > link->latency)
        link->bytes_per_second = (double)LONG_MESSAGE / (whole - link->latency) * 1e9;
    return status == STATUS_OK ? ranks_broadcast(ranks, link, sizeof *link, 0, error) : status;
}

double cost_predict(const struct method *method, const struct problem *problem, int count, double alone,
                    const struct link *link)
{
    struct traffic traffic = method->traffic(problem, count);
    double sent = link->bytes_per_second > 0 ? traffic.bytes / link->bytes_per_second * 1e9 : 0;
    return traffic.work * alone + traffic.messages * link->latency + sent;
}
