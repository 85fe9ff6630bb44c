// SPDX-License-Identifier: Apache-2.0
// Kernels whose counters of memory Nsight Compute recorded on a GPU (README.md): shapes of accesses that courses show
// and that programs have. Each runs once, on memory that begins at 512 bytes.
#include <cstdio>
#include <vector>

constexpr int kThreads = 256;
constexpr int kBlocks = 32;
constexpr int kCount = kThreads * kBlocks;

struct Point {
  float x, y, z;
};

__device__ int global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// --- global memory
__global__ void copy(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i];
}

__global__ void copy_tail(const float* in, float* out, int n) {
  const int i = global_index();
  if (i < n) out[i] = in[i];
}

__global__ void stride_2(const float* in, float* out) {
  const int i = global_index();
  out[2 * i] = in[2 * i];
}

__global__ void stride_32(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i % 512 * 32];
}

__global__ void misaligned(const float* in, float* out) {
  const int i = global_index();
  out[i + 1] = in[i + 3];
}

__global__ void array_of_structures(const Point* in, float* out) {
  const int i = global_index();
  out[i] = in[i].x + in[i].z;
}

__global__ void structure_of_arrays(const float* x, const float* z, float* out) {
  const int i = global_index();
  out[i] = x[i] + z[i];
}

__global__ void copy_float2(const float2* in, float2* out) {
  const int i = global_index();
  out[i] = in[i];
}

__global__ void copy_float4(const float4* in, float4* out) {
  const int i = global_index();
  out[i] = in[i];
}

__global__ void stride_float4(const float4* in, float4* out) {
  const int i = global_index();
  out[i] = in[3 * i];
}

__global__ void copy_double(const double* in, double* out) {
  const int i = global_index();
  out[i] = in[i];
}

__global__ void copy_char(const char* in, char* out) {
  const int i = global_index();
  out[i] = in[i];
}

__global__ void copy_short_reversed(const short* in, short* out) {
  const int i = global_index();
  out[kCount - 1 - i] = in[i];
}

__global__ void broadcast(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i / 32];
}

__global__ void gather(const float* in, float* out) {
  const int i = global_index();
  const unsigned at = (i * 2654435761U) >> 16;
  out[i] = in[at % kCount];
}

__global__ void every_other_thread(const float* in, float* out) {
  const int i = global_index();
  if (threadIdx.x % 2 == 0) out[i] = in[i];
}

__global__ void every_other_warp(const float* in, float* out) {
  const int i = global_index();
  if (threadIdx.x / 32 % 2 == 0) out[i] = in[i];
}

__global__ void rows(const float* in, float* out, int columns) {
  const int row = global_index();
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < columns; ++i) sum += in[row * columns + i];
  out[row] = sum;
}

__global__ void columns(const float* in, float* out, int rows) {
  const int column = global_index();
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < rows; ++i) sum += in[i * kCount + column];
  out[column] = sum;
}

__global__ void lengths_differ(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k <= threadIdx.x % 32; ++k) sum += in[i + k * 32];
  out[i] = sum;
}

__global__ void transpose_naive(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll 1
  for (int k = 0; k < 32; k += 8) out[x * n + y + k] = in[(y + k) * n + x];
}

// --- global and shared memory
template <int kWidth>
__device__ void transpose(const float* in, float* out, int n, float (&tile)[32][kWidth]) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll 1
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  const int to_x = blockIdx.y * 32 + threadIdx.x;
  const int to_y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll 1
  for (int k = 0; k < 32; k += 8) out[(to_y + k) * n + to_x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void transpose_tiled(const float* in, float* out, int n) {
  __shared__ float tile[32][32];
  transpose(in, out, n, tile);
}

__global__ void transpose_padded(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  transpose(in, out, n, tile);
}

__global__ void matmul_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int tile = 0; tile < n / 16; ++tile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + tile * 16 + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(tile * 16 + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 16; ++k) {
      volatile float* from = &as[threadIdx.y][k];
      sum += *from * bs[k][threadIdx.x];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void matmul_naive(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void reduce_interleaved(const float* in, float* out) {
  __shared__ float sums[kThreads];
  sums[threadIdx.x] = in[global_index()];
  __syncthreads();
#pragma unroll 1
  for (unsigned step = 1; step < kThreads; step *= 2) {
    const unsigned at = 2 * step * threadIdx.x;
    if (at < kThreads) sums[at] += sums[at + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

__global__ void reduce_halves(const float* in, float* out) {
  __shared__ float sums[kThreads];
  sums[threadIdx.x] = in[global_index()];
  __syncthreads();
#pragma unroll 1
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

__global__ void stencil(const float* in, float* out) {
  __shared__ float near[kThreads + 2];
  const int i = global_index();
  near[threadIdx.x + 1] = in[i + 1];
  if (threadIdx.x == 0) near[0] = in[i];
  if (threadIdx.x == kThreads - 1) near[kThreads + 1] = in[i + 2];
  __syncthreads();
  out[i] = near[threadIdx.x] + near[threadIdx.x + 1] + near[threadIdx.x + 2];
}

template <int kStride>
__global__ void shared_stride(float* out) {
  __shared__ float words[kThreads * kStride];
  words[threadIdx.x * kStride] = threadIdx.x;
  __syncthreads();
  out[global_index()] = words[(kThreads - 1 - threadIdx.x) * kStride];
}

__global__ void shared_broadcast(const float* in, float* out) {
  __shared__ float words[kThreads];
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[global_index()] = words[threadIdx.x / 32] + words[threadIdx.x % 8 * 32];
}

__global__ void shared_double(const double* in, double* out) {
  __shared__ double words[kThreads];
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[global_index()] = words[kThreads - 1 - threadIdx.x];
}

__global__ void shared_double_stride(const double* in, double* out) {
  __shared__ double words[kThreads * 2];
  words[threadIdx.x * 2] = in[threadIdx.x];
  __syncthreads();
  out[global_index()] = words[(threadIdx.x ^ 1) * 2];
}

__global__ void shared_float4(const float4* in, float4* out) {
  __shared__ float4 words[kThreads];
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[global_index()] = words[kThreads - 1 - threadIdx.x];
}

__global__ void shared_float4_stride(const float4* in, float4* out) {
  __shared__ float4 words[kThreads * 2];
  words[threadIdx.x * 2] = in[threadIdx.x];
  __syncthreads();
  out[global_index()] = words[(threadIdx.x ^ 3) * 2];
}

/// Lanes that differ in a bit of kBits only read one element.
template <int kBits>
__global__ void shared_double_pairs(const double* in, double* out) {
  __shared__ double words[kThreads];
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[global_index()] = words[threadIdx.x & ~kBits];
}

template <int kBits>
__global__ void shared_float4_pairs(const float4* in, float4* out) {
  __shared__ float4 words[kThreads];
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[global_index()] = words[threadIdx.x & ~kBits];
}

__global__ void shared_double_broadcast(const double* in, double* out) {
  __shared__ double words[kThreads];
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[global_index()] = words[threadIdx.x / 32] + words[threadIdx.x % 4 * 8];
}

__global__ void shared_double_some_lanes(const double* in, double* out) {
  __shared__ double words[kThreads];
  const int lane = threadIdx.x % 32;
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  double sum = 0;
  if (lane < 16) sum = words[threadIdx.x];
  if (lane % 4 == 0) sum += words[threadIdx.x ^ 4];
  out[global_index()] = sum;
}

__global__ void shared_float4_some_lanes(const float4* in, float4* out) {
  __shared__ float4 words[kThreads];
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = global_index();
  if (threadIdx.x % 32 < 8) out[i] = words[threadIdx.x ^ 1];
  if (threadIdx.x % 8 == 1) out[i + kCount] = words[threadIdx.x ^ 7];
}

__global__ void shared_float4_broadcast(const float4* in, float4* out) {
  __shared__ float4 words[kThreads];
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[global_index()] = words[threadIdx.x / 32];
}

__global__ void shared_bytes(const char* in, char* out) {
  __shared__ char bytes[kThreads * 8];
  bytes[threadIdx.x * 8] = in[threadIdx.x];
  bytes[threadIdx.x * 8 + 1] = in[threadIdx.x + 1];
  __syncthreads();
  out[global_index()] = bytes[(kThreads - 1 - threadIdx.x) * 8 + threadIdx.x % 2];
}

// --- atomics
__global__ void histogram_shared(const unsigned* in, unsigned* bins) {
  __shared__ unsigned counts[64];
  if (threadIdx.x < 64) counts[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counts[in[global_index()] % 64], 1U);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

__global__ void histogram_global(const unsigned* in, unsigned* bins) {
  atomicAdd(&bins[in[global_index()] % 64], 1U);
}

__global__ void atomic_results(unsigned* counter, unsigned* out) {
  out[global_index()] = atomicAdd(&counter[threadIdx.x / 32], threadIdx.x);
}

// --- lanes that part within the passes of a loop
__global__ void some_passes(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
  for (int j = 0; j < 8; ++j) {
    if ((i + j) % 4 == 0) sum += in[i + j * kCount];
  }
  out[i] = sum;
}

__global__ void skip_passes(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
  for (int j = 0; j < 8; ++j) {
    if ((i + j) % 3 == 0) continue;
    sum += in[i + j * kCount];
  }
  out[i] = sum;
}

__global__ void leave_early(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
  for (int j = 0; j < 16; ++j) {
    if (j == i % 16) break;
    sum += in[i + j * kCount];
  }
  out[i] = sum;
}

__global__ void inner_lengths_differ(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
  for (int j = 0; j < 4; ++j) {
#pragma unroll 1  // passes of an unrolled loop and of its remainder are different instructions
    for (int k = 0; k < (i + j) % 5; ++k) sum += in[i + k * kCount];
  }
  out[i] = sum;
}

__global__ void cases_differ(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
  for (int j = 0; j < 6; ++j) {
    switch ((i + j) % 4) {
      case 0: sum += in[i]; break;
      case 1: sum *= in[i + j] + in[2 * i]; break;
      case 2: sum += 1; break;
      default: out[i + kCount + j] = sum;
    }
  }
  out[i] = sum;
}

__noinline__ __device__ float pick(const float* in, int i, int j) {
  float sum = 0;
  if (j % 3 != 0) {
#pragma unroll 1
    for (int k = 0; k < j % 3; ++k) {
      if (k == i % 2) sum += in[i + k * kCount];
    }
  }
  return sum;
}

__global__ void calls_differ(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
  for (int j = 0; j < 6; ++j) {
    if ((i + j) % 3 != 0) sum += pick(in, i, i + j);
  }
  out[i] = sum;
}

__global__ void shared_some_passes(float* out) {
  __shared__ float tile[2 * kThreads];
  tile[threadIdx.x] = tile[threadIdx.x + kThreads] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 8; ++j) {
    if ((threadIdx.x + j) % 3 == 0) sum += tile[(2 * threadIdx.x + j) % (2 * kThreads)];
  }
  out[global_index()] = sum;
}

__global__ void read_twice(const float* in, float* out) {
  const int i = global_index();
  const float half = in[i] / 2;
  float square = in[i] * in[i];
  if (i % 2 == 0) square += half;
  out[i] = square;
}

void access_global_memory(float* a, float* b, float* c) {
  copy<<<kBlocks, kThreads>>>(a, c);
  copy_tail<<<kBlocks, kThreads>>>(a, c, kCount - 45);
  stride_2<<<kBlocks, kThreads>>>(a, c);
  stride_32<<<kBlocks, kThreads>>>(a, c);
  misaligned<<<kBlocks, kThreads>>>(a, c);
  array_of_structures<<<kBlocks, kThreads>>>(reinterpret_cast<Point*>(a), c);
  structure_of_arrays<<<kBlocks, kThreads>>>(a, b, c);
  copy_float2<<<kBlocks, kThreads>>>(reinterpret_cast<float2*>(a), reinterpret_cast<float2*>(c));
  copy_float4<<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(c));
  stride_float4<<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(c));
  copy_double<<<kBlocks, kThreads>>>(reinterpret_cast<double*>(a), reinterpret_cast<double*>(c));
  copy_char<<<kBlocks, kThreads>>>(reinterpret_cast<char*>(a), reinterpret_cast<char*>(c));
  copy_short_reversed<<<kBlocks, kThreads>>>(reinterpret_cast<short*>(a), reinterpret_cast<short*>(c));
  broadcast<<<kBlocks, kThreads>>>(a, c);
  gather<<<kBlocks, kThreads>>>(a, c);
  every_other_thread<<<kBlocks, kThreads>>>(a, c);
  every_other_warp<<<kBlocks, kThreads>>>(a, c);
}

void loop_over_global_memory(float* a, float* c) {
  rows<<<2, kThreads>>>(a, c, 40);
  columns<<<kBlocks, kThreads>>>(a, c, 40);
  lengths_differ<<<kBlocks, kThreads>>>(a, c);
  transpose_naive<<<dim3(4, 4), dim3(32, 8)>>>(a, c, 128);
}

void part_in_loops(float* a, float* c) {
  some_passes<<<kBlocks, kThreads>>>(a, c);
  skip_passes<<<kBlocks, kThreads>>>(a, c);
  leave_early<<<kBlocks, kThreads>>>(a, c);
  inner_lengths_differ<<<kBlocks, kThreads>>>(a, c);
  cases_differ<<<kBlocks, kThreads>>>(a, c);
  calls_differ<<<kBlocks, kThreads>>>(a, c);
  shared_some_passes<<<kBlocks, kThreads>>>(c);
  read_twice<<<kBlocks, kThreads>>>(a, c);
}

void access_tiles(float* a, float* b, float* c) {
  transpose_tiled<<<dim3(4, 4), dim3(32, 8)>>>(a, c, 128);
  transpose_padded<<<dim3(4, 4), dim3(32, 8)>>>(a, c, 128);
  matmul_tiled<<<dim3(4, 4), dim3(16, 16)>>>(a, b, c, 64);
  matmul_naive<<<dim3(4, 4), dim3(16, 16)>>>(a, b, c, 64);
  reduce_interleaved<<<kBlocks, kThreads>>>(a, c);
  reduce_halves<<<kBlocks, kThreads>>>(a, c);
  stencil<<<kBlocks, kThreads>>>(a, c);
}

void access_words_of_shared_memory(float* a, float* c) {
  shared_stride<1><<<kBlocks, kThreads>>>(c);
  shared_stride<2><<<kBlocks, kThreads>>>(c);
  shared_stride<3><<<kBlocks, kThreads>>>(c);
  shared_stride<8><<<kBlocks, kThreads>>>(c);
  shared_stride<32><<<kBlocks, kThreads>>>(c);
  shared_broadcast<<<kBlocks, kThreads>>>(a, c);
}

void access_vectors_of_shared_memory(float* a, float* c) {
  shared_double<<<kBlocks, kThreads>>>(reinterpret_cast<double*>(a), reinterpret_cast<double*>(c));
  shared_double_stride<<<kBlocks, kThreads>>>(reinterpret_cast<double*>(a), reinterpret_cast<double*>(c));
  shared_float4<<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(c));
  shared_float4_stride<<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(c));
  shared_double_pairs<1><<<kBlocks, kThreads>>>(reinterpret_cast<double*>(a), reinterpret_cast<double*>(c));
  shared_double_pairs<2><<<kBlocks, kThreads>>>(reinterpret_cast<double*>(a), reinterpret_cast<double*>(c));
  shared_double_pairs<3><<<kBlocks, kThreads>>>(reinterpret_cast<double*>(a), reinterpret_cast<double*>(c));
  shared_double_pairs<4><<<kBlocks, kThreads>>>(reinterpret_cast<double*>(a), reinterpret_cast<double*>(c));
  shared_double_pairs<8><<<kBlocks, kThreads>>>(reinterpret_cast<double*>(a), reinterpret_cast<double*>(c));
  shared_double_pairs<16><<<kBlocks, kThreads>>>(reinterpret_cast<double*>(a), reinterpret_cast<double*>(c));
  shared_float4_pairs<1><<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(c));
  shared_float4_pairs<2><<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(c));
  shared_float4_pairs<3><<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(c));
  shared_float4_pairs<4><<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(c));
  shared_float4_pairs<8><<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(c));
  shared_float4_pairs<16><<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(c));
  shared_double_broadcast<<<kBlocks, kThreads>>>(reinterpret_cast<double*>(a), reinterpret_cast<double*>(c));
  shared_double_some_lanes<<<kBlocks, kThreads>>>(reinterpret_cast<double*>(a), reinterpret_cast<double*>(c));
  shared_float4_some_lanes<<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(c));
  shared_float4_broadcast<<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(c));
  shared_bytes<<<kBlocks, kThreads>>>(reinterpret_cast<char*>(a), reinterpret_cast<char*>(c));
}

void update(unsigned* words, float* c) {
  std::vector<unsigned> numbers(kCount);
  for (int i = 0; i < kCount; ++i) numbers[i] = (i * 2654435761U) >> 20;
  cudaMemcpy(words, numbers.data(), kCount * sizeof(unsigned), cudaMemcpyHostToDevice);
  histogram_shared<<<kBlocks, kThreads>>>(words, reinterpret_cast<unsigned*>(c));
  histogram_global<<<kBlocks, kThreads>>>(words, reinterpret_cast<unsigned*>(c));
  atomic_results<<<kBlocks, kThreads>>>(words, reinterpret_cast<unsigned*>(c));
}

int main() {
  constexpr size_t kBytes = size_t{1} << 22;
  float* memory[3];
  for (float*& at : memory) {
    cudaMalloc(&at, kBytes);
    cudaMemset(at, 0, kBytes);
  }
  access_global_memory(memory[0], memory[1], memory[2]);
  loop_over_global_memory(memory[0], memory[2]);
  part_in_loops(memory[0], memory[2]);
  access_tiles(memory[0], memory[1], memory[2]);
  access_words_of_shared_memory(memory[0], memory[2]);
  access_vectors_of_shared_memory(memory[0], memory[2]);
  update(reinterpret_cast<unsigned*>(memory[1]), memory[2]);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
