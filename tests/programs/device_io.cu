// SPDX-License-Identifier: Apache-2.0
//
// What kernels print, caught and compared line by line (the order of threads is free), then an assertion that fails: its
// message names block and thread, and its error stays with the process.
#include "common.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string>
#include <unistd.h>

struct Record
{
    int id;
    float weight;
    const char *text;
};

__global__ void print_numbers(int limit)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < limit)
        printf("[%d, %d]: value %5d, hex %#06x, octal %o, %-6u|%+d\n", blockIdx.x, threadIdx.x, i * i, i * 16, i, i, -i);
}

__global__ void print_others(double scale)
{
    const int i = threadIdx.x;
    printf("%8.3f %-10.2e %g %s %c %%\n", i * scale, 1e10 * (i + 1), 0.5f * i, i % 2 ? "odd" : "even", 'a' + i);
    printf("%lld %llu %#llx %.3s|%6s|%03d\n", -(1ll << 40) * i, 1ull << 63, 0xdeadbeefcafeull, "abcdef", "right", i);
}

__global__ void count_arguments(int *results)
{
    results[0] = printf("plain\n");
    results[1] = printf("%d %d\n", 1, 2);
}

__device__ int checked(int i, int limit)
{
    assert(i >= 0 && i < limit);
    return i;
}

__global__ void assert_below(int *out, int limit)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = checked(i, limit);
}

// Everything that is written to a file descriptor until text() is called.
class Capture
{
public:
    explicit Capture(int descriptor) : descriptor_(descriptor), file_(tmpfile())
    {
        fflush(nullptr);
        saved_ = dup(descriptor);
        dup2(fileno(file_), descriptor);
    }
    std::string text()
    {
        fflush(nullptr);
        dup2(saved_, descriptor_);
        close(saved_);
        std::string all;
        rewind(file_);
        for (int c = fgetc(file_); c != EOF; c = fgetc(file_))
            all += char(c);
        fclose(file_);
        return all;
    }

private:
    int descriptor_, saved_;
    FILE *file_;
};

static std::vector<std::string> lines(const std::string &text)
{
    std::vector<std::string> result;
    for (size_t at = 0, end; at < text.size(); at = end + 1) {
        end = std::min(text.find('\n', at), text.size());
        result.push_back(text.substr(at, end - at));
    }
    std::sort(result.begin(), result.end());
    return result;
}

static bool compare(const std::string &got, const std::string &want)
{
    const std::vector<std::string> a = lines(got), b = lines(want);
    if (a == b)
        return true;
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
        if (i >= a.size() || i >= b.size() || a[i] != b[i])
            printf("printed \"%s\", expected \"%s\"\n", i < a.size() ? a[i].c_str() : "", i < b.size() ? b[i].c_str() : "");
    return false;
}

template <typename... Args>
static void append(std::string &text, const char *format, Args... args)
{
    char line[200];
    snprintf(line, sizeof(line), format, args...);
    text += line;
}

static bool check_printing()
{
    const int blocks = 2, threads = 40, limit = 70;
    int *results = device_zeros<int>(2);
    Capture capture(STDOUT_FILENO);
    print_numbers<<<blocks, threads>>>(limit);
    print_others<<<1, 4>>>(1.0 / 3);
    count_arguments<<<1, 1>>>(results);
    CHECK(cudaDeviceSynchronize());
    const std::string got = capture.text();

    std::string want = "plain\n1 2\n";
    for (int i = 0; i < limit; ++i)
        append(want, "[%d, %d]: value %5d, hex %#06x, octal %o, %-6u|%+d\n", i / threads, i % threads, i * i, i * 16, i, i, -i);
    for (int i = 0; i < 4; ++i) {
        append(want, "%8.3f %-10.2e %g %s %c %%\n", i / 3.0, 1e10 * (i + 1), 0.5 * i, i % 2 ? "odd" : "even", 'a' + i);
        append(want, "%lld %llu %#llx %.3s|%6s|%03d\n", -(1ll << 40) * i, 1ull << 63, 0xdeadbeefcafeull, "abcdef", "right", i);
    }
    bool passed = compare(got, want);
    passed &= same("printf's results", host_copy(results, 2), {0, 2});
    CHECK(cudaFree(results));
    return passed;
}

static bool check_assertion()
{
    int *out = device_zeros<int>(64);
    assert_below<<<2, 32>>>(out, 64);
    bool passed = expect(host_copy(out, 64)[63] == 63, "an assertion that holds does nothing");
    Capture capture(STDERR_FILENO);
    assert_below<<<2, 32>>>(out, 60);
    const cudaError_t status = cudaDeviceSynchronize();
    const std::string message = capture.text();
    passed &= expect(status == cudaErrorAssert, "a failed assertion ends the kernel");
    passed &= expect(cudaMalloc(&out, 4) == cudaErrorAssert, "the error stays");
    passed &= expect(cudaGetLastError() == cudaErrorAssert && cudaDeviceSynchronize() == cudaErrorAssert, "it cannot be cleared");
    for (const char *part : {"device_io.cu:", "checked(int, int)", "block: [1,0,0], thread: [28,0,0]", "Assertion `i >= 0 && i < limit` failed."})
        if (message.find(part) == std::string::npos) {
            printf("\"%s\" is not in the message: %s\n", part, message.c_str());
            passed = false;
        }
    return passed;
}

int main()
{
    size_t fifo = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 * 1024 * 1024));
    CHECK(cudaDeviceGetLimit(&fifo, cudaLimitPrintfFifoSize));
    bool passed = expect(fifo >= 2 * 1024 * 1024, "the buffer has the size that was asked for");
    passed &= check_printing();
    passed &= check_assertion();
    return verdict(passed);
}
