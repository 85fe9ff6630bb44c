// SPDX-License-Identifier: Apache-2.0
//
// Managed memory shared by host threads and kernels: tasks of any size that either side may take, a __managed__ tally,
// and a stream compaction on which blocks and host threads work at once, chained by flags.
#include "common.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <thread>

__managed__ int tally[2] = {5, 7};
__device__ __managed__ unsigned long long total;

struct Task
{
    int size, id;
    double *matrix, *vector, *result;
};

__global__ void product(const double *matrix, const double *vector, double *result, int n)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += matrix[row * n + k] * vector[k];
    result[row] = sum;
    atomicAdd(&tally[1], 1);
}

static void allocate(Task &task, int id, int size)
{
    task.id = id;
    task.size = size;
    CHECK(cudaMallocManaged(&task.matrix, sizeof(double) * size * size));
    CHECK(cudaMallocManaged(&task.vector, sizeof(double) * size));
    CHECK(cudaMallocManaged(&task.result, sizeof(double) * size, cudaMemAttachGlobal));
    for (int i = 0; i < size * size; ++i)
        task.matrix[i] = (i * 7 + id) % 11;
    for (int i = 0; i < size; ++i)
        task.vector[i] = (i + id) % 5;
}

// Small tasks stay on the host, others go to the stream of this thread.
static void execute(std::vector<Task> *tasks, int thread, int threads)
{
    CHECK(cudaSetDevice(0));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    for (size_t i = thread; i < tasks->size(); i += threads) {
        Task &t = (*tasks)[i];
        if (t.size < 24) {
            for (int row = 0; row < t.size; ++row) {
                t.result[row] = 0;
                for (int k = 0; k < t.size; ++k)
                    t.result[row] += t.matrix[row * t.size + k] * t.vector[k];
            }
            continue;
        }
        CHECK(cudaStreamAttachMemAsync(stream, t.result, 0, cudaMemAttachGlobal));
        product<<<(t.size + 31) / 32, 32, 0, stream>>>(t.matrix, t.vector, t.result, t.size);
        CHECK(cudaStreamSynchronize(stream));
    }
    CHECK(cudaStreamDestroy(stream));
}

static bool check_tasks()
{
    std::vector<Task> tasks(12);
    Random random(31);
    int device_rows = 0;
    for (int i = 0; i < int(tasks.size()); ++i) {
        allocate(tasks[i], i, 8 + random.below(40));
        device_rows += tasks[i].size < 24 ? 0 : tasks[i].size;
    }
    tally[0] += 10;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back(execute, &tasks, t, 3);
    for (auto &thread : threads)
        thread.join();
    bool passed = expect(tally[0] == 15 && tally[1] == 7 + device_rows, "managed variables are one for both sides");
    for (Task &t : tasks) {
        for (int row = 0; row < t.size; ++row) {
            long long want = 0;
            for (int k = 0; k < t.size; ++k)
                want += ((row * t.size + k) * 7 + t.id) % 11 * ((k + t.id) % 5);
            passed &= t.result[row] == double(want);
        }
        CHECK(cudaFree(t.matrix));
        CHECK(cudaFree(t.vector));
        CHECK(cudaFree(t.result));
    }
    return expect(passed, "all tasks are right");
}

// Compaction by tiles. Tiles are claimed in order; flag t + 1 holds one more than the number of values kept up to tile t.
const int kTile = 64;

struct Compaction
{
    int tiles, head;
    int *flags;
    const int *in;
    int *out;
};

__global__ void compact_on_device(Compaction *c)
{
    __shared__ int tile, kept, start, keep[kTile];
    for (;;) {
        if (threadIdx.x == 0)
            tile = atomicAdd_system(&c->head, 1);
        __syncthreads();
        if (tile >= c->tiles)
            return;
        const int value = c->in[tile * kTile + threadIdx.x];
        keep[threadIdx.x] = value % 3 != 0;
        __syncthreads();
        if (threadIdx.x == 0) {
            kept = 0;
            for (int i = 0; i < kTile; ++i)
                kept += keep[i];
            int flag;
            while ((flag = atomicAdd_system(&c->flags[tile], 0)) == 0) {
            }
            start = flag - 1;
            __threadfence_system();
            atomicExch_system(&c->flags[tile + 1], start + kept + 1);
        }
        __syncthreads();
        int before = start;
        for (int i = 0; i < threadIdx.x; ++i)
            before += keep[i];
        if (keep[threadIdx.x])
            c->out[before] = value;
        atomicAdd(&total, 1ull);
        __syncthreads();
    }
}

static void compact_on_host(Compaction *c)
{
    auto *head = reinterpret_cast<std::atomic<int> *>(&c->head);
    auto *flags = reinterpret_cast<std::atomic<int> *>(c->flags);
    for (int tile = head->fetch_add(1); tile < c->tiles; tile = head->fetch_add(1)) {
        std::vector<int> kept;
        std::copy_if(c->in + tile * kTile, c->in + (tile + 1) * kTile, std::back_inserter(kept), [](int v) { return v % 3 != 0; });
        int start;
        while ((start = flags[tile].load()) == 0)
            std::this_thread::yield();
        flags[tile + 1].store(start + int(kept.size()));
        std::copy(kept.begin(), kept.end(), c->out + start - 1);
    }
}

static bool check_compaction(int tiles)
{
    Compaction *c;
    int *in;
    CHECK(cudaMallocManaged(&c, sizeof(Compaction)));
    CHECK(cudaMallocManaged(&c->flags, (tiles + 1) * sizeof(int)));
    CHECK(cudaMallocManaged(&in, tiles * kTile * sizeof(int)));
    CHECK(cudaMallocManaged(&c->out, tiles * kTile * sizeof(int)));
    std::vector<int> want;
    Random random(6);
    for (int i = 0; i < tiles * kTile; ++i) {
        in[i] = random.below(1000);
        if (in[i] % 3 != 0)
            want.push_back(in[i]);
    }
    std::fill(c->flags, c->flags + tiles + 1, 0);
    c->flags[0] = 1;
    c->in = in;
    c->tiles = tiles;
    c->head = 0;
    total = 0;
    compact_on_device<<<2, kTile>>>(c);
    CHECK(cudaGetLastError());
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t)
        threads.emplace_back(compact_on_host, c);
    for (auto &thread : threads)
        thread.join();
    CHECK(cudaDeviceSynchronize());
    bool passed = expect(c->flags[tiles] == int(want.size()) + 1, "the last flag counts what is kept");
    passed &= expect(total % kTile == 0 && total <= (unsigned long long)tiles * kTile, "blocks take whole tiles");
    passed &= same("compacted", std::vector<int>(c->out, c->out + want.size()), want);
    for (void *buffer : {(void *)c->flags, (void *)in, (void *)c->out, (void *)c})
        CHECK(cudaFree(buffer));
    return passed;
}

// Hints change nothing but speed.
static bool check_hints()
{
    const int n = 1000;
    double *data;
    CHECK(cudaMallocManaged(&data, (n * n / 100 + 2 * n) * sizeof(double)));
    for (int i = 0; i < n * n / 100 + 2 * n; ++i)
        data[i] = 1;
#if CUDART_VERSION >= 13000
    cudaMemLocation device = {}, host = {};
    device.type = cudaMemLocationTypeDevice;
    host.type = cudaMemLocationTypeHost;
    CHECK(cudaMemAdvise(data, n * sizeof(double), cudaMemAdviseSetReadMostly, device));
    CHECK(cudaMemPrefetchAsync(data, n * sizeof(double), device, 0, 0));
#else
    const int device = 0, host = cudaCpuDeviceId;
    CHECK(cudaMemAdvise(data, n * sizeof(double), cudaMemAdviseSetReadMostly, device));
    CHECK(cudaMemPrefetchAsync(data, n * sizeof(double), device, 0));
#endif
    product<<<4, 32>>>(data, data + n * n / 100, data + n * n / 100 + n, 100);
#if CUDART_VERSION >= 13000
    CHECK(cudaMemPrefetchAsync(data, n * sizeof(double), host, 0, 0));
#else
    CHECK(cudaMemPrefetchAsync(data, n * sizeof(double), host, 0));
#endif
    CHECK(cudaDeviceSynchronize());
    const bool passed = expect(data[n * n / 100 + n + 99] == 100 && data[n * n / 100 + n + 100] == 1, "hints keep the data");
    CHECK(cudaFree(data));
    return passed;
}

int main()
{
    bool passed = check_tasks();
    passed &= check_compaction(24);
    passed &= check_hints();
    return verdict(passed);
}
