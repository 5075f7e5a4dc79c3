/* The table of children's jobs. */
#include "backends/opencl/kernel_code.h"
#include "backends/trial.h"
#include "base/library_trial.h"
#include "judge/judge.h"
#include "judge/protocol.h"

void judge_main(int argc, char **argv)
{
    static const struct child_entry entries[] = {
        {"check", check_child},
        {"bench", bench_child},
        {"probe", probe_child},
        {"load", load_child},
        {"kernel-code", kernel_code_child},
        {0},
    };
    child_process_main(argc, argv, entries);
}
