// SPDX-License-Identifier: Apache-2.0
//
// In which order the lanes of a warp print: a call that they make together prints for one lane after the other, and
// only then anything behind it does. What is printed goes to a file first, so that it can be compared.
#include "common.h"

#include <fcntl.h>
#include <string>
#include <unistd.h>

static const unsigned whole = 0xffffffff;

__global__ void straight()
{
    printf("a%d ", threadIdx.x);
    printf("b%d ", threadIdx.x);
    if (threadIdx.x % 3 == 0)
        printf("c%d ", threadIdx.x);
    printf("d%d%s", threadIdx.x, threadIdx.x == 31 ? "\n" : " ");
}

// Each lane once, in the order that the program makes, with everything in between.
__global__ void in_turn()
{
    for (int turn = 31; turn >= 0; --turn) {
        if (threadIdx.x == turn)
            printf("%d ", turn);
        __syncwarp();
    }
    const int from_next = __shfl_down_sync(whole, (int)threadIdx.x, 1, 8);
    printf("%d ", from_next);
    if (threadIdx.x == 0)
        printf("\n");
}

__device__ void say(const char *what)
{
    printf("%s%d ", what, threadIdx.x);
}

// Lanes leave the loop after one to three rounds and are together again behind it.
__global__ void loops()
{
    for (int round = 0; round <= threadIdx.x % 3; ++round)
        say("r");
    say("e");
    if (threadIdx.x == 0)
        printf("\n");
}

// A barrier parts what comes before it from what comes behind, for all warps.
__global__ void barrier()
{
    if (threadIdx.x % 32 == 5)
        printf("before ");
    __syncthreads();
    if (threadIdx.x % 32 == 7)
        printf("after ");
    __syncthreads();
    if (threadIdx.x == 0)
        printf("%s\n", "a text longer than any buffer that a thread would like to have on its stack, which is why it goes on and "
                       "on and on and on and on and on and on and on and on and on and on and on and on and on and on and on "
                       "and on and on and on and on and on and on and on and on and on and on and on, and then ends");
}

// Standard output while `launch` runs.
template <typename Launch>
static std::string output_of(Launch launch)
{
    char name[] = "/tmp/warp_printing.XXXXXX";
    fflush(stdout);
    const int file = mkstemp(name), kept = dup(1);
    unlink(name);
    dup2(file, 1);
    launch();
    cudaDeviceSynchronize();
    fflush(stdout);
    dup2(kept, 1);
    close(kept);
    std::string text((size_t)lseek(file, 0, SEEK_END), '\0');
    lseek(file, 0, SEEK_SET);
    if (read(file, &text[0], text.size()) != (ssize_t)text.size())
        text = "unreadable";
    close(file);
    return text;
}

// "what" and the number, for the numbers that are chosen, in rising order.
template <typename Chosen>
static std::string numbers(const char *what, Chosen chosen)
{
    std::string text;
    for (int i = 0; i < 32; ++i)
        if (chosen(i))
            text += what + std::to_string(i) + " ";
    return text;
}

static bool same_text(const char *what, const std::string &got, const std::string &want)
{
    if (got == want)
        return true;
    printf("%s:\n%s\nexpected:\n%s\n", what, got.c_str(), want.c_str());
    return false;
}

int main()
{
    const auto all = [](int) { return true; };
    std::string want = numbers("a", all) + numbers("b", all) + numbers("c", [](int i) { return i % 3 == 0; }) + numbers("d", all);
    want.back() = '\n';
    bool passed = same_text("straight", output_of([] { straight<<<1, 32>>>(); }), want);

    want.clear();
    for (int i = 31; i >= 0; --i)
        want += std::to_string(i) + " ";
    for (int i = 0; i < 32; ++i)
        want += std::to_string(i % 8 == 7 ? i : i + 1) + " ";
    passed &= same_text("in turn", output_of([] { in_turn<<<1, 32>>>(); }), want + "\n");

    want = numbers("r", all) + numbers("r", [](int i) { return i % 3 >= 1; }) + numbers("r", [](int i) { return i % 3 == 2; });
    passed &= same_text("loops", output_of([] { loops<<<1, 32>>>(); }), want + numbers("e", all) + "\n");

    const std::string text = output_of([] { barrier<<<1, 96>>>(); });
    passed &= same_text("barrier", text.substr(0, 40), "before before before after after after a");
    passed &= expect(text.size() > 300 && text.substr(text.size() - 15) == " and then ends\n", "long texts are printed");
    CHECK(cudaGetLastError());
    return verdict(passed);
}
