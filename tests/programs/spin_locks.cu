// SPDX-License-Identifier: Apache-2.0
//
// Locks that need every thread to make progress: within a warp, between blocks, one lane after the other with the whole
// warp at work, and on the links of a tree while it grows.
#include "common.h"

#include <algorithm>

class Mutex
{
public:
    __device__ void lock()
    {
        while (atomicCAS(&state_, 0, 1) != 0) {
        }
        __threadfence();
    }
    __device__ void unlock()
    {
        __threadfence();
        atomicExch(&state_, 0);
    }

private:
    int state_;
};

// Every thread of every block takes the lock, lanes of one warp among them.
__global__ void count_locked(Mutex *mutex, volatile int *counter, volatile int *last)
{
    mutex->lock();
    const int seen = *counter;
    *last = seen;
    *counter = seen + 1;
    mutex->unlock();
}

// A lock a row in shared memory, by atomicExch, inside a loop that lanes leave one by one.
__global__ void histogram_locked(const int *in, int *sums, int n)
{
    __shared__ unsigned lock[4];
    __shared__ volatile int sum[4];
    if (threadIdx.x < 4) {
        lock[threadIdx.x] = 0;
        sum[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int bin = in[i] & 3;
        bool done = false;
        while (!done)
            if (atomicExch(&lock[bin], 1u) == 0u) {
                sum[bin] += in[i];
                __threadfence_block();
                done = true;
                atomicExch(&lock[bin], 0u);
            }
    }
    __syncthreads();
    if (threadIdx.x < 4)
        atomicAdd(&sums[threadIdx.x], sum[threadIdx.x]);
}

struct Node
{
    int key, value;
    Node *next;
};

struct Table
{
    Node **heads;
    Mutex *locks;
    Node *pool;
    int buckets;
};

__global__ void insert(Table table, const int *keys, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int bucket = keys[i] % table.buckets;
        Node *node = table.pool + i;
        node->key = keys[i];
        node->value = i;
        for (int lane = 0; lane < 32; ++lane)
            if (threadIdx.x % 32 == lane) {
                table.locks[bucket].lock();
                Node *volatile *head = table.heads + bucket;
                node->next = *head;
                *head = node;
                table.locks[bucket].unlock();
            }
    }
}

// The lanes of a warp that still have work vote; the warp serves one of them after the other, under the lock of its cell.
__global__ void serve_by_warp(Mutex *locks, int *cells, const int *wanted, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool waiting = i < n;
    unsigned queue;
    while ((queue = __ballot_sync(0xffffffff, waiting)) != 0) {
        const int leader = __ffs(queue) - 1;
        const int cell = __shfl_sync(0xffffffff, waiting ? wanted[i] : 0, leader);
        if (lane == leader) {
            locks[cell].lock();
            waiting = false;
        }
        __syncwarp();
        ((volatile int *)cells)[32 * cell + lane] += 1;
        __threadfence();
        __syncwarp();
        if (lane == leader)
            locks[cell].unlock();
    }
}

// A binary search tree: a link that is being filled holds kLocked. Threads that are done leave; the others still meet at
// the barrier that slows them down.
const int kEmpty = -1, kLocked = -2;

__global__ void grow_tree(const int *keys, int *links, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int at = 0;
    while (i < n) {
        int link = 2 * at + (keys[i] > keys[at]);
        int child = ((volatile int *)links)[link];
        while (child >= 0) {
            at = child;
            link = 2 * at + (keys[i] > keys[at]);
            child = ((volatile int *)links)[link];
        }
        if (child != kLocked && atomicCAS(&links[link], kEmpty, kLocked) == kEmpty) {
            __threadfence();
            ((volatile int *)links)[link] = i;
            i += gridDim.x * blockDim.x;
            at = 0;
        }
        __syncthreads();
    }
}

static bool check_counters()
{
    Mutex *mutex = device_zeros<Mutex>(1);
    int *counter = device_zeros<int>(2);
    count_locked<<<6, 96>>>(mutex, counter, counter + 1);
    bool passed = same("locked counter", host_copy(counter, 2), {6 * 96, 6 * 96 - 1});
    CHECK(cudaFree(mutex));
    CHECK(cudaFree(counter));

    const int n = 1000;
    std::vector<int> values(n), want(4, 0);
    Random random(2);
    for (auto &value : values) {
        value = random.below(100);
        want[value & 3] += value;
    }
    int *in = device_copy(values), *sums = device_zeros<int>(4);
    histogram_locked<<<4, 64>>>(in, sums, n);
    passed &= same("locked histogram", host_copy(sums, 4), want);
    CHECK(cudaFree(in));
    CHECK(cudaFree(sums));
    return passed;
}

static bool check_table()
{
    const int n = 600, buckets = 23;
    std::vector<int> keys(n);
    Random random(10);
    for (auto &key : keys)
        key = random.below(200);
    int *dKeys = device_copy(keys);
    Table table = {device_zeros<Node *>(buckets), device_zeros<Mutex>(buckets), device_zeros<Node>(n), buckets};
    insert<<<5, 64>>>(table, dKeys, n);
    const std::vector<Node *> heads = host_copy(table.heads, buckets);
    const std::vector<Node> pool = host_copy(table.pool, n);
    int found = 0;
    bool passed = true;
    for (int b = 0; b < buckets; ++b)
        for (Node *node = heads[b]; node && found <= n; ++found) {
            const Node &copy = pool[node - table.pool];
            passed &= copy.key == keys[copy.value] && copy.key % buckets == b;
            node = copy.next;
        }
    CHECK(cudaFree(dKeys));
    CHECK(cudaFree(table.heads));
    CHECK(cudaFree(table.locks));
    CHECK(cudaFree(table.pool));
    return expect(passed && found == n, "the table holds every key in its bucket");
}

static bool check_cells()
{
    const int n = 200, cells = 7;
    std::vector<int> wanted(n), want(32 * cells, 0);
    for (int i = 0; i < n; ++i) {
        wanted[i] = i * i % cells;
        for (int lane = 0; lane < 32; ++lane)
            ++want[32 * wanted[i] + lane];
    }
    Mutex *locks = device_zeros<Mutex>(cells);
    int *dWanted = device_copy(wanted), *dCells = device_zeros<int>(32 * cells);
    serve_by_warp<<<4, 64>>>(locks, dCells, dWanted, n);
    const bool passed = same("cells", host_copy(dCells, 32 * cells), want);
    CHECK(cudaFree(locks));
    CHECK(cudaFree(dWanted));
    CHECK(cudaFree(dCells));
    return passed;
}

static bool check_tree()
{
    const int n = 700;
    std::vector<int> keys(n);
    for (int i = 0; i < n; ++i)
        keys[i] = (i + 1) * 389 % 1009;
    int *dKeys = device_copy(keys), *links = device_copy(std::vector<int>(2 * n, kEmpty));
    grow_tree<<<3, 64>>>(dKeys, links, n);
    const std::vector<int> tree = host_copy(links, 2 * n);
    std::vector<int> inOrder, path;
    for (int at = 0; at >= 0 || !path.empty();) {
        for (; at >= 0 && path.size() <= size_t(n); at = tree[2 * at])
            path.push_back(at);
        at = path.back();
        path.pop_back();
        inOrder.push_back(keys[at]);
        at = tree[2 * at + 1];
        if (inOrder.size() > size_t(n))
            break;
    }
    std::sort(keys.begin(), keys.end());
    const bool passed = same("tree", inOrder, keys);
    CHECK(cudaFree(dKeys));
    CHECK(cudaFree(links));
    return passed;
}

int main()
{
    bool passed = check_counters();
    passed &= check_table();
    passed &= check_cells();
    passed &= check_tree();
    return verdict(passed);
}
