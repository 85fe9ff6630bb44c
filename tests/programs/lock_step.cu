// SPDX-License-Identifier: Apache-2.0
// Reductions and scans as they were written when the lanes of a warp had one program counter: the last warp works on
// volatile shared memory and nothing says that lanes wait for each other. Every shape that such code takes, in blocks of
// whole and of partial warps.
#include <climits>
#include <cstdlib>

#include "common.h"

// --- Sums: the last warp unrolled --------------------------------------------------------------------------------

__device__ void warpReduce(volatile int* sdata, int tid) {
  sdata[tid] += sdata[tid + 32];
  sdata[tid] += sdata[tid + 16];
  sdata[tid] += sdata[tid + 8];
  sdata[tid] += sdata[tid + 4];
  sdata[tid] += sdata[tid + 2];
  sdata[tid] += sdata[tid + 1];
}

template <unsigned blockSize, class T>
__device__ void warpReduceKnown(volatile T* sdata, unsigned tid) {
  if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
  if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
  if (blockSize >= 16) { sdata[tid] += sdata[tid + 8]; }
  if (blockSize >= 8) sdata[tid] += sdata[tid + 4];
  if (blockSize >= 4) sdata[tid] += sdata[tid + 2];
  if (blockSize >= 2) sdata[tid] += sdata[tid + 1];
}

// Shared memory is larger than the block by 64, all zeroes, so that no lane reads beyond it.
__device__ int treeDownTo64(int* s, int tid, int size) {
  for (; size > 64; size = (size + 1) / 2) {
    const int half = (size + 1) / 2;
    if (tid < size / 2) s[tid] += s[tid + half];
    __syncthreads();
    if (tid >= half) s[tid] = 0;
    __syncthreads();
  }
  return size;
}

__device__ void load(int* s, const int* in, int tid) {
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  if (tid < 64) s[blockDim.x + tid] = 0;
  __syncthreads();
}

__global__ void sumByFunction(const int* in, int* out) {
  extern __shared__ int s[];
  const int tid = threadIdx.x;
  load(s, in, tid);
  treeDownTo64(s, tid, blockDim.x);
  if (tid < 32) warpReduce(s, tid);
  if (tid == 0) out[blockIdx.x] = s[0];
}

__global__ void sumInPlace(const int* in, int* out) {
  extern __shared__ int s[];
  const int tid = threadIdx.x;
  load(s, in, tid);
  treeDownTo64(s, tid, blockDim.x);
  if (tid < 32) {
    volatile int* smem = s;
    smem[tid] += smem[tid + 32];
    smem[tid] += smem[tid + 16];
    smem[tid] += smem[tid + 8];
    smem[tid] += smem[tid + 4];
    smem[tid] += smem[tid + 2];
    smem[tid] += smem[tid + 1];
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

__global__ void sumKept(const int* in, int* out) {
  extern __shared__ int s[];
  const int tid = threadIdx.x;
  load(s, in, tid);
  treeDownTo64(s, tid, blockDim.x);
  int mySum = s[tid];
  if (tid < 32) {
    volatile int* smem = s;
    smem[tid] = mySum = mySum + smem[tid + 32];
    smem[tid] = mySum = mySum + smem[tid + 16];
    smem[tid] = mySum = mySum + smem[tid + 8];
    smem[tid] = mySum = mySum + smem[tid + 4];
    smem[tid] = mySum = mySum + smem[tid + 2];
    mySum = smem[tid] = mySum + smem[tid + 1];
    if (tid == 0) out[blockIdx.x] = mySum;
  }
}

template <unsigned blockSize>
__global__ void sumKnown(const int* in, int* out) {
  extern __shared__ int s[];
  const unsigned tid = threadIdx.x;
  load(s, in, tid);
  treeDownTo64(s, tid, blockDim.x);
  if (tid < 32) warpReduceKnown<blockSize>(s, tid);
  if (tid == 0) out[blockIdx.x] = s[0];
}

__global__ void sumInLoop(const int* in, int* out) {
  extern __shared__ int s[];
  const int tid = threadIdx.x;
  load(s, in, tid);
  treeDownTo64(s, tid, blockDim.x);
  if (tid < 32) {
    volatile int* v = s;
#pragma unroll
    for (int step = 32; step > 0; step >>= 1) v[tid] = v[tid] + v[tid + step];
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

// Each step with its own half of the lanes.
__global__ void sumByHalves(const int* in, int* out) {
  extern __shared__ int s[];
  const int tid = threadIdx.x;
  load(s, in, tid);
  treeDownTo64(s, tid, blockDim.x);
  volatile int* v = s;
  if (tid < 32) v[tid] += v[tid + 32];
  if (tid < 16) v[tid] += v[tid + 16];
  if (tid < 8) v[tid] += v[tid + 8];
  if (tid < 4) {
    v[tid] += v[tid + 4];
    if (tid < 2) {
      v[tid] += v[tid + 2];
      if (tid < 1) v[tid] += v[tid + 1];
    }
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

#define REDUCE_STEP(n) \
  do {                 \
    v[tid] += v[tid + (n)]; \
  } while (0)
#define SHARED(i) (((volatile int*)s)[i])

__global__ void sumByMacros(const int* in, int* out) {
  extern __shared__ int s[];
  const int tid = threadIdx.x;
  load(s, in, tid);
  treeDownTo64(s, tid, blockDim.x);
  if (tid < 32) {
    volatile int* v = s;
    REDUCE_STEP(32);
    REDUCE_STEP(16);
    REDUCE_STEP(8);
    SHARED(tid) += SHARED(tid + 4);
    SHARED(tid) += SHARED(tid + 2);
    SHARED(tid) += SHARED(tid + 1);
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

// The whole block by warps, each on its own part, and no barrier before: a warp that has stored may read.
__global__ void sumOfWarps(const int* in, int* out) {
  __shared__ volatile int s[32][48];
  __shared__ int total;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  s[warp][lane] = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (lane < 16) s[warp][lane + 32] = 0;
  if (threadIdx.x / 32 == blockDim.x / 32)
    for (int i = blockDim.x % 32 + lane; i < 48; i += blockDim.x % 32) s[warp][i] = 0;
  s[warp][lane] += s[warp][lane + 16];
  s[warp][lane] += s[warp][lane + 8];
  s[warp][lane] += s[warp][lane + 4], s[warp][lane] += s[warp][lane + 2];
  (s[warp][lane] += s[warp][lane + 1]);
  if (lane == 0) atomicAdd(&total, s[warp][0]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

// --- Minima and maxima -------------------------------------------------------------------------------------------

__global__ void largest(const int* in, int* out) {
  extern __shared__ int s[];
  volatile int* v = s;
  const int tid = threadIdx.x;
  load(s, in, tid);
  for (int i = tid + 32; i < blockDim.x && tid < 32; i += 32) s[tid] = max(s[tid], s[i]);
  __syncthreads();
  if (tid < 32) {
    if (tid + 32 >= blockDim.x || blockDim.x > 32) v[tid + 32] = INT_MIN;
    if (v[tid] < v[tid + 16]) v[tid] = v[tid + 16];
    if (v[tid] < v[tid + 8]) v[tid] = v[tid + 8];
    v[tid] = v[tid] > v[tid + 4] ? v[tid] : v[tid + 4];
    v[tid] = max(v[tid], v[tid + 2]);
    v[tid] = v[tid] < v[tid + 1] ? v[tid + 1] : v[tid];
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

// With the index of what was found.
template <class T>
__global__ void whereLargest(const T* in, int* out) {
  __shared__ volatile T value[64];
  __shared__ volatile int where[64];
  const int tid = threadIdx.x;
  if (tid < 32) {
    value[tid] = in[blockIdx.x * blockDim.x + tid];
    where[tid] = tid;
    value[tid + 32] = INT_MIN;
    for (int i = tid + 32; i < blockDim.x; i += 32) {
      const T other = in[blockIdx.x * blockDim.x + i];
      if (value[tid] < other) {
        value[tid] = other;
        where[tid] = i;
      }
    }
    for (int step = 16; step > 0; step /= 2) {
      if (value[tid] < value[tid + step] || (value[tid] == value[tid + step] && where[tid] > where[tid + step])) {
        value[tid] = value[tid + step];
        where[tid] = where[tid + step];
      }
    }
    if (tid == 0) out[blockIdx.x] = where[0];
  }
}

// --- Scans -------------------------------------------------------------------------------------------------------

// Inclusive, of a warp; every lane then reads what the last one has.
__device__ int scanWarp(volatile int* s, int lane) {
  if (lane >= 1) s[lane] += s[lane - 1];
  if (lane >= 2) s[lane] += s[lane - 2];
  if (lane >= 4) s[lane] = s[lane] + s[lane - 4];
  if (lane >= 8) s[lane] = s[lane - 8] + s[lane];
  if (lane >= 16) s[lane] += s[lane - 16];
  return s[31];
}

// With zeroes in front, and what was read kept in a variable.
__device__ int scanPadded(volatile int* s, int at, int value) {
  s[at] = 0;
  at += 32;
  s[at] = value;
  int t;
  t = s[at - 1];
  s[at] = s[at] + t;
  t = s[at - 2];
  s[at] = s[at] + t;
  t = s[at - 4];
  s[at] = s[at] + t;
  t = s[at - 8];
  s[at] = value = s[at] + t;
  t = s[at - 16];
  value += t;
  s[at] = value;
  return s[63];
}

struct WarpScan {
  volatile int* mine;
  int lane;
  __device__ WarpScan(int* s, int warp, int l) : mine(s + 64 * warp), lane(l) { mine[lane] = 0; }
  __device__ int exclusive(int value) {
    this->mine[lane + 32] = value;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) mine[lane + 32] += mine[lane + 32 - step];
    return mine[lane + 31];
  }
};

template <int kWay>
__global__ void scanWarps(const int* in, int* out, int* totals) {
  __shared__ int s[32 * 64];
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // Lanes that a partial warp has not count as zero.
  for (int i = threadIdx.x; i < 32 * 64; i += blockDim.x) s[i] = 0;
  __syncthreads();
  if (kWay == 0) {
    s[64 * warp + lane] = in[at];
    __syncwarp();
    const int last = scanWarp(s + 64 * warp, lane);
    out[at] = s[64 * warp + lane];
    totals[at] = last;
  } else if (kWay == 1) {
    __shared__ volatile int each[32][64];
    for (int i = threadIdx.x; i < 32 * 64; i += blockDim.x) each[i / 64][i % 64] = 0;
    __syncthreads();
    totals[at] = scanPadded(&each[warp][0], lane, in[at]);
    out[at] = each[warp][lane + 32];
  } else {
    WarpScan scan(s, warp, lane);
    out[at] = scan.exclusive(in[at]) + in[at];
    __syncwarp();
    totals[at] = s[64 * warp + 32 + min(31, blockDim.x - 1 - 32 * warp)];
  }
}

// Neighbours change places, again and again.
__global__ void rotate(const int* in, int* out) {
  __shared__ volatile int s[32];
  const int lane = threadIdx.x;
  if (lane < 32) {
    s[lane] = in[blockIdx.x * blockDim.x + lane];
    for (int i = 0; i < 5; ++i) s[lane] = s[(lane + 1) % 32];
    int mine = s[lane];
    s[(lane + 7) % 32] = mine;
    out[blockIdx.x * 32 + lane] = s[lane];
  }
}

// --- What they are held against ----------------------------------------------------------------------------------

static int mistakes = 0;

static void hold(const char* what, int block, int threads, long got, long wanted) {
  if (got == wanted) return;
  if (++mistakes < 20) printf("%s: block %d of %d threads: %ld, not %ld\n", what, block, threads, got, wanted);
}

typedef void (*Reduction)(const int*, int*);
typedef void (*Scan)(const int*, int*, int*);

static const int kBlocks = 3;

static void reductions(int threads, const int* in, int* out) {
  struct {
    const char* name;
    Reduction kernel;
  } all[] = {{"sumByFunction", sumByFunction},  {"sumInPlace", sumInPlace},  {"sumKept", sumKept},
             {"sumKnown", sumKnown<64>},        {"sumInLoop", sumInLoop},    {"sumByHalves", sumByHalves},
             {"sumByMacros", sumByMacros},      {"sumOfWarps", sumOfWarps},  {"largest", largest},
             {"whereLargest", whereLargest<int>}};
  for (auto& each : all) {
    const bool most = each.kernel == largest, place = each.kernel == Reduction(whereLargest<int>);
    each.kernel<<<kBlocks, threads, (threads + 64) * sizeof(int)>>>(in, out);
    CHECK(cudaDeviceSynchronize());
    for (int b = 0; b < kBlocks; ++b) {
      long sum = 0;
      int at = 0;
      for (int i = 0; i < threads; ++i) {
        sum += in[b * threads + i];
        if (in[b * threads + i] > in[b * threads + at]) at = i;
      }
      hold(each.name, b, threads, out[b], most ? in[b * threads + at] : place ? at : sum);
    }
  }
}

static void scans(int threads, const int* in, int* out, int* totals) {
  const Scan all[] = {scanWarps<0>, scanWarps<1>, scanWarps<2>};
  for (int way = 0; way < 3; ++way) {
    all[way]<<<kBlocks, threads>>>(in, out, totals);
    CHECK(cudaDeviceSynchronize());
    for (int b = 0; b < kBlocks; ++b) {
      for (int i = 0; i < threads; ++i) {
        long sum = 0, total = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32 && j < threads; ++j) {
          if (j <= i) sum += in[b * threads + j];
          total += in[b * threads + j];
        }
        hold("scan", b, threads, out[b * threads + i], sum);
        if (way == 2 || threads % 32 == 0) hold("total", b, threads, totals[b * threads + i], total);
      }
    }
  }
}

static void rotations(int threads, const int* in, int* out) {
  rotate<<<kBlocks, threads>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  for (int b = 0; b < kBlocks; ++b) {
    for (int i = 0; i < 32; ++i) hold("rotate", b, threads, out[32 * b + i], in[b * threads + (i + 32 - 7 + 5) % 32]);
  }
}

int main() {
  int *in, *out, *totals;
  CHECK(cudaMallocManaged(&in, kBlocks * 1024 * sizeof(int)));
  CHECK(cudaMallocManaged(&out, kBlocks * 1024 * sizeof(int)));
  CHECK(cudaMallocManaged(&totals, kBlocks * 1024 * sizeof(int)));
  srand(1);
  for (int i = 0; i < kBlocks * 1024; ++i) in[i] = rand() % 1000;
  for (int threads : {32, 33, 64, 96, 128, 256, 1000, 1024}) {
    reductions(threads, in, out);
    scans(threads, in, out, totals);
    rotations(threads, in, out);
  }
  printf(mistakes == 0 ? "PASS\n" : "FAIL\n");
  return mistakes != 0;
}
