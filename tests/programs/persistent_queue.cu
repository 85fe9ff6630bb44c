// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose blocks stay and depend on one another: a work queue that grows while it is served, prefix sums in one
// pass (each tile looks back at those before it), and a sparse triangular solve where rows wait for rows.
#include "common.h"

#include <algorithm>

struct Interval
{
    double from, to;
    int depth;
};

struct Queue
{
    Interval *items;
    int *ready;
    int capacity;
    int head, tail, open;
};

__device__ double f(double x) { return x * x * x - 2.0 * x + 1.0 / (1.0 + 25.0 * x * x); }

__device__ double simpson(double a, double b) { return (b - a) / 6 * (f(a) + 4 * f(0.5 * (a + b)) + f(b)); }

__device__ void push(Queue *q, Interval item)
{
    const int at = atomicAdd(&q->tail, 1);
    q->items[at] = item;
    __threadfence();
    atomicExch(&q->ready[at], 1);
}

// Adaptive quadrature: an interval is either added to the sum or split. `open` counts intervals that are not done.
__global__ void integrate(Queue *q, double *sum, int *done, double tolerance)
{
    __shared__ double blockSum;
    __shared__ int blockDone;
    if (threadIdx.x == 0) {
        blockSum = 0;
        blockDone = 0;
    }
    __syncthreads();
    int mine = -1;
    while (*(volatile int *)&q->open > 0) {
        if (mine < 0)
            mine = atomicAdd(&q->head, 1);
        if (mine >= q->capacity)
            break;
        if (*(volatile int *)&q->ready[mine] == 0)
            continue;
        __threadfence();
        const Interval i = q->items[mine];
        mine = -1;
        const double middle = 0.5 * (i.from + i.to), whole = simpson(i.from, i.to);
        const double halves = simpson(i.from, middle) + simpson(middle, i.to);
        if (fabs(halves - whole) < tolerance || i.depth > 20) {
            atomicAdd_block(&blockSum, halves + (halves - whole) / 15);
            atomicAdd_block(&blockDone, 1);
            atomicSub(&q->open, 1);
        } else {
            atomicAdd(&q->open, 1);
            push(q, {i.from, middle, i.depth + 1});
            push(q, {middle, i.to, i.depth + 1});
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(sum, blockSum);
        atomicAdd(done, blockDone);
    }
}

// Decoupled look-back: the state of a tile is its flag and value in one word (0 nothing, 1 own sum, 2 sum of all so far).
#define TILE 128
__device__ unsigned nextTile;

__global__ void scan_look_back(const int *in, int *out, unsigned long long *state, int n)
{
    __shared__ int values[TILE];
    __shared__ int tile, before;
    if (threadIdx.x == 0)
        tile = atomicAdd(&nextTile, 1);
    __syncthreads();
    const int i = tile * TILE + threadIdx.x;
    values[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < TILE; offset *= 2) {
        const int add = threadIdx.x >= offset ? values[threadIdx.x - offset] : 0;
        __syncthreads();
        values[threadIdx.x] += add;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        const unsigned total = values[TILE - 1];
        atomicExch(&state[tile], (tile ? 1ull : 2ull) << 32 | total);
        unsigned sum = 0;
        for (int back = tile - 1; back >= 0;) {
            const unsigned long long s = atomicAdd(&state[back], 0ull);
            if (s >> 32 == 0)
                continue;
            sum += unsigned(s);
            if (s >> 32 == 2)
                break;
            --back;
        }
        before = sum;
        if (tile)
            atomicExch(&state[tile], 2ull << 32 | (sum + total));
    }
    __syncthreads();
    if (i < n)
        out[i] = before + values[threadIdx.x];
}

// A thread a row; a row spins until the unknowns it needs are there, also those of lanes of its own warp.
__global__ void solve_lower(const int *start, const int *column, const double *value, const double *b, double *x,
                            int *solved, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    double sum = b[row];
    int i = start[row];
    const int diagonal = start[row + 1] - 1;
    bool finished = false;
    while (!finished) {
        while (i < diagonal && ((volatile int *)solved)[column[i]]) {
            __threadfence();
            sum -= value[i] * ((volatile double *)x)[column[i]];
            ++i;
        }
        if (i == diagonal) {
            ((volatile double *)x)[row] = sum / value[diagonal];
            __threadfence();
            ((volatile int *)solved)[row] = 1;
            finished = true;
        }
    }
}

static bool check_queue(int blocks)
{
    const int capacity = 8192;
    Queue queue = {device_zeros<Interval>(capacity), device_zeros<int>(capacity), capacity, 0, 1, 1};
    const Interval first = {-1, 2, 0};
    const int one = 1;
    CHECK(cudaMemcpy(queue.items, &first, sizeof(first), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(queue.ready, &one, sizeof(one), cudaMemcpyHostToDevice));
    Queue *q = device_copy(std::vector<Queue>(1, queue));
    double *sum = device_zeros<double>(1);
    int *done = device_zeros<int>(1);
    integrate<<<blocks, 32>>>(q, sum, done, 1e-10);
    const double want = (4.0 - 4.0) - (0.25 - 1.0) + (std::atan(10.0) + std::atan(5.0)) / 5;
    bool passed = near("integral", host_copy(sum, 1), std::vector<double>(1, want), 1e-8);
    const Queue end = host_copy(q, 1)[0];
    passed &= expect(end.open == 0 && end.tail == 2 * host_copy(done, 1)[0] - 1, "leaves and inner intervals add up");
    for (void *buffer : {(void *)queue.items, (void *)queue.ready, (void *)q, (void *)sum, (void *)done})
        CHECK(cudaFree(buffer));
    return passed;
}

static bool check_scan()
{
    const int n = 10000, tiles = (n + TILE - 1) / TILE;
    std::vector<int> values(n), want(n);
    Random random(17);
    int sum = 0;
    for (int i = 0; i < n; ++i)
        want[i] = sum += values[i] = random.below(1000);
    int *in = device_copy(values), *out = device_zeros<int>(n);
    unsigned long long *state = device_zeros<unsigned long long>(tiles);
    scan_look_back<<<tiles, TILE>>>(in, out, state, n);
    const bool passed = same("prefix sums", host_copy(out, n), want);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(state));
    return passed;
}

static bool check_solver()
{
    const int rows = 300;
    std::vector<int> start(1, 0), column;
    std::vector<double> value, b(rows), x(rows);
    Random random(23);
    for (int r = 0; r < rows; ++r) {
        b[r] = random.uniform();
        double sum = b[r];
        for (int c = std::max(0, r - 40); c < r; ++c)
            if (c == r - 1 || random.below(8) == 0) {
                column.push_back(c);
                value.push_back(random.uniform() - 0.5);
                sum -= value.back() * x[c];
            }
        column.push_back(r);
        value.push_back(2 + random.uniform());
        x[r] = sum / value.back();
        start.push_back(int(column.size()));
    }
    int *dStart = device_copy(start), *dColumn = device_copy(column), *solved = device_zeros<int>(rows);
    double *dValue = device_copy(value), *dB = device_copy(b), *dX = device_zeros<double>(rows);
    solve_lower<<<(rows + 63) / 64, 64>>>(dStart, dColumn, dValue, dB, dX, solved, rows);
    const bool passed = near("solution", host_copy(dX, rows), x, 1e-12);
    for (void *buffer : {(void *)dStart, (void *)dColumn, (void *)solved, (void *)dValue, (void *)dB, (void *)dX})
        CHECK(cudaFree(buffer));
    return passed;
}

int main()
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    int resident;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, integrate, 32, 0));
    bool passed = check_queue(std::min(resident * properties.multiProcessorCount, 6));
    passed &= check_scan();
    passed &= check_solver();
    return verdict(passed);
}
