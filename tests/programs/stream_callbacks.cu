// SPDX-License-Identifier: Apache-2.0
//
// Workloads of many host threads on streams of their own; callbacks and host functions check results and release the
// main thread.
#include "common.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

const int kWorkloads = 8;
const int kElements = 1024;

class Countdown
{
public:
    explicit Countdown(int count) : left_(count) {}
    void arrive()
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (--left_ == 0)
            zero_.notify_all();
    }
    void wait()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        zero_.wait(lock, [this] { return left_ == 0; });
    }

private:
    int left_;
    std::mutex mutex_;
    std::condition_variable zero_;
};

static Countdown remaining(kWorkloads);

struct Workload
{
    int id = 0;
    int *host = nullptr, *device = nullptr;
    cudaStream_t stream = nullptr;
    std::atomic<int> stage{0};
    bool ordered = true, correct = false;
    cudaError_t status = cudaErrorUnknown;
};

__global__ void add_to_all(int *data, int n, int amount)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] += amount;
}

static void CUDART_CB before_copy_back(void *data)
{
    Workload *w = static_cast<Workload *>(data);
    w->ordered &= w->stage.fetch_add(1) == 0;
}

static void CUDART_CB finished(cudaStream_t stream, cudaError_t status, void *data)
{
    Workload *w = static_cast<Workload *>(data);
    w->ordered &= w->stage.fetch_add(1) == 1 && stream == w->stream;
    w->status = status;
    w->correct = true;
    for (int i = 0; i < kElements; ++i)
        w->correct &= w->host[i] == w->id + i + 1;
    remaining.arrive();
}

static void launch(Workload *w)
{
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamCreate(&w->stream));
    CHECK(cudaMalloc(&w->device, kElements * sizeof(int)));
    CHECK(cudaHostAlloc(&w->host, kElements * sizeof(int), cudaHostAllocPortable));
    for (int i = 0; i < kElements; ++i)
        w->host[i] = w->id + i;
    CHECK(cudaMemcpyAsync(w->device, w->host, kElements * sizeof(int), cudaMemcpyHostToDevice, w->stream));
    add_to_all<<<4, 128, 0, w->stream>>>(w->device, kElements, 1);
    CHECK(cudaLaunchHostFunc(w->stream, before_copy_back, w));
    CHECK(cudaMemcpyAsync(w->host, w->device, kElements * sizeof(int), cudaMemcpyDeviceToHost, w->stream));
    CHECK(cudaStreamAddCallback(w->stream, finished, w, 0));
}

int main()
{
    static Workload workloads[kWorkloads];
    std::vector<std::thread> threads;
    for (int i = 0; i < kWorkloads; ++i) {
        workloads[i].id = i;
        threads.emplace_back(launch, &workloads[i]);
    }
    for (auto &thread : threads)
        thread.join();
    remaining.wait();

    bool passed = true;
    for (Workload &w : workloads) {
        CHECK(cudaStreamSynchronize(w.stream));
        passed &= expect(w.ordered, "callbacks run in the order of their stream");
        passed &= expect(w.status == cudaSuccess, "callbacks get the stream's status");
        passed &= expect(w.correct, "results are there when the callback runs");
        CHECK(cudaFreeHost(w.host));
        CHECK(cudaFree(w.device));
        CHECK(cudaStreamDestroy(w.stream));
    }
    return verdict(passed);
}
