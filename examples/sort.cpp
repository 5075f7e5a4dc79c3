// C++: a vector sorted by each of several threads, each with a context of its own.
//
//     c++ sort.cpp $(pkg-config --cflags --libs uskor) && ./a.out
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <thread>
#include <uskor.h>
#include <vector>

struct close_context {
    void operator()(uskor *context) const
    {
        uskor_close(context);
    }
};
using context = std::unique_ptr<uskor, close_context>;

static context open_context()
{
    uskor *made = nullptr;
    if (uskor_open(&made, nullptr) != USKOR_OK)
        throw std::runtime_error(uskor_message(nullptr));
    return context(made);
}

static void sort(std::vector<double> &numbers)
{
    context own = open_context();
    if (uskor_sort(own.get(), numbers.data(), numbers.size(), USKOR_FLOAT64, 0) != USKOR_OK)
        throw std::runtime_error(uskor_message(own.get()));
}

int main()
{
    std::vector<std::vector<double>> lists = {{3, 1, 2}, {0.5, -1, 7, 2}, {}};
    std::vector<std::thread> threads;
    for (auto &list : lists)
        threads.emplace_back([&list] { sort(list); });
    for (auto &thread : threads)
        thread.join();
    for (const auto &list : lists) {
        for (double number : list)
            std::printf("%g ", number);
        std::printf("\n");
    }
}
