// SPDX-License-Identifier: Apache-2.0
//
// Functions that ask who is with them, called from both sides of a branch and from one place: the caller counts, not
// the line at which the question stands. Whatever the compiler inlines or copies.
#include "common.h"

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

constexpr unsigned kLanes = 32;
constexpr unsigned kFew = 8;

__device__ unsigned together()
{
    return cg::coalesced_threads().size();
}

__device__ __noinline__ unsigned together_by_call()
{
    return __popc(__activemask());
}

struct Census {
    unsigned counted;
    __device__ Census() : counted(together()) {}
};

struct Answers {
    unsigned inlined, called, constructed, nested, behind, in_loop, behind_loop;
};

template <bool kDeep>
__device__ unsigned through_template()
{
    return kDeep ? together_by_call() + 100 * together() : together();
}

__global__ void ask(Answers *answers, const int *odd)
{
    Answers &mine = answers[threadIdx.x];
    const bool few = threadIdx.x < kFew;
    if (few)
        mine.inlined = together();
    else
        mine.inlined = together();

    mine.called = few ? together_by_call() : together_by_call();

    if (few) {
        Census here;
        mine.constructed = here.counted;
    } else {
        Census here;
        mine.constructed = here.counted;
    }

    if (few)
        mine.nested = through_template<true>();
    else
        mine.nested = through_template<true>();

    // Behind a condition and before one that depends on it: two copies would save a compiler a jump.
    const int kind = odd[threadIdx.x] ? 1 : 2;
    const unsigned all = together() + 100 * together_by_call();
    mine.behind = kind == 1 ? all : all + 0;

    for (unsigned i = 0; i < threadIdx.x % 4; ++i)
        mine.in_loop = together();
    mine.behind_loop = together();
}

int main()
{
    std::vector<int> odd(kLanes);
    for (unsigned i = 0; i < kLanes; ++i)
        odd[i] = i % 2;
    Answers *device = device_zeros<Answers>(kLanes);
    ask<<<1, kLanes>>>(device, device_copy(odd));
    CHECK(cudaDeviceSynchronize());
    const std::vector<Answers> answers = host_copy(device, kLanes);
    const unsigned in_last_round[] = {0, 24, 16, 8};
    bool passed = true;
    for (unsigned i = 0; i < kLanes; ++i) {
        const unsigned side = i < kFew ? kFew : kLanes - kFew;
        passed &= expect(answers[i].inlined == side, "an inlined function finds its side");
        passed &= expect(answers[i].called == side, "a called function finds its side");
        passed &= expect(answers[i].constructed == side, "a constructor finds its side");
        passed &= expect(answers[i].nested == side * 101, "functions in a template find their side");
        passed &= expect(answers[i].behind == kLanes * 101, "behind the branch all are together");
        passed &= expect(answers[i].in_loop == in_last_round[i % 4], "those in a round of the loop are together");
        passed &= expect(answers[i].behind_loop == kLanes, "behind the loop all are together");
    }
    return verdict(passed);
}
