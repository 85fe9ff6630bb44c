// SPDX-License-Identifier: Apache-2.0
// Kernels of courses and benchmarks whose threads meet at barriers of the block: sums, products, stencils, scans, sorts,
// histograms, wavefronts, in blocks of one to three dimensions and of odd sizes.
#include "results.h"

__device__ unsigned global_index() {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return block * blockDim.x * blockDim.y * blockDim.z + thread;
}

__device__ float to_float(unsigned bits) { return (bits >> 8) * (1.0f / 16777216.0f); }

template <unsigned kMost>
__global__ void tree_sum(const unsigned* in, unsigned* out) {
  __shared__ float partial[kMost];
  const unsigned t = threadIdx.x;
  partial[t] = to_float(in[global_index()]);
  __syncthreads();
  for (unsigned half = kMost / 2; half > 0; half /= 2) {
    if (t < half && t + half < blockDim.x) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = __float_as_uint(partial[0]);
}

// The sum of any number of threads: the upper part is folded onto the lower one.
__global__ void folded_sum(const unsigned* in, unsigned* out) {
  __shared__ unsigned partial[1024];
  const unsigned t = threadIdx.x;
  partial[t] = in[global_index()];
  unsigned size = blockDim.x;
  while (size > 1) {
    const unsigned half = (size + 1) / 2;
    __syncthreads();
    if (t + half < size) partial[t] += partial[t + half] * 3;
    size = half;
  }
  __syncthreads();
  out[global_index()] = partial[0] + t;
}

__global__ void tiled_product(const unsigned* in, unsigned* out) {
  constexpr unsigned kTile = 16;
  const unsigned n = gridDim.x * kTile;
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile + 1];
  const unsigned column = threadIdx.x;
  const unsigned row = threadIdx.y;
  const unsigned i = blockIdx.y * kTile + row;
  const unsigned j = blockIdx.x * kTile + column;
  float sum = 0.0f;
  for (unsigned first = 0; first < n; first += kTile) {
    a_tile[row][column] = to_float(in[i * n + first + column]);
    b_tile[row][column] = to_float(in[(first + row) * n + j] * 3);
    __syncthreads();
    for (unsigned k = 0; k < kTile; ++k) sum += a_tile[row][k] * b_tile[k][column];
    __syncthreads();
  }
  out[i * n + j] = __float_as_uint(sum);
}

__global__ void stencil(const unsigned* in, unsigned* out) {
  __shared__ float cells[256 + 2];
  const unsigned t = threadIdx.x;
  const unsigned i = global_index();
  cells[t + 1] = to_float(in[i]);
  if (t == 0) cells[0] = i > 0 ? to_float(in[i - 1]) : 0.0f;
  if (t == blockDim.x - 1) cells[t + 2] = to_float(in[i + 1]);
  __syncthreads();
  const float next = 0.25f * cells[t] + 0.5f * cells[t + 1] + 0.25f * cells[t + 2];
  __syncthreads();
  cells[t + 1] = next;
  __syncthreads();
  out[i] = __float_as_uint(cells[t + 1] - cells[t] * 0.125f);
}

__global__ void hillis_steele(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[2][256];
  const unsigned t = threadIdx.x;
  unsigned from = 0;
  sums[from][t] = in[global_index()];
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    sums[1 - from][t] = sums[from][t] + (t >= distance ? sums[from][t - distance] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[global_index()] = sums[from][t];
}

// Blelloch's scan: up the tree and down again, two elements a thread.
__global__ void blelloch(const unsigned* in, unsigned* out) {
  extern __shared__ unsigned tree[];
  const int t = threadIdx.x;
  const int n = 2 * blockDim.x;
  const unsigned first = blockIdx.x * n;
  tree[2 * t] = in[first + 2 * t];
  tree[2 * t + 1] = in[first + 2 * t + 1];
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) tree[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const unsigned kept = tree[offset * (2 * t + 1) - 1];
      tree[offset * (2 * t + 1) - 1] = tree[offset * (2 * t + 2) - 1];
      tree[offset * (2 * t + 2) - 1] += kept;
    }
  }
  __syncthreads();
  out[first + 2 * t] = tree[2 * t];
  out[first + 2 * t + 1] = tree[2 * t + 1];
}

__device__ void exchange_if(unsigned& a, unsigned& b, bool wanted) {
  if (!wanted) return;
  const unsigned kept = a;
  a = b;
  b = kept;
}

__global__ void bitonic(const unsigned* in, unsigned* out) {
  __shared__ unsigned keys[256];
  const unsigned t = threadIdx.x;
  keys[t] = in[global_index()];
  __syncthreads();
  for (unsigned size = 2; size <= blockDim.x; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      const unsigned other = t ^ distance;
      if (other > t) exchange_if(keys[t], keys[other], (keys[t] > keys[other]) == ((t & size) == 0));
      __syncthreads();
    }
  }
  out[global_index()] = keys[t];
}

__global__ void odd_even_sort(const unsigned* in, unsigned* out) {
  __shared__ unsigned keys[100];
  __shared__ bool swapped;
  const unsigned t = threadIdx.x;
  keys[t] = in[global_index()] >> 7;
  do {
    __syncthreads();
    if (t == 0) swapped = false;
    __syncthreads();
    for (unsigned phase = 0; phase < 2; ++phase) {
      if (t % 2 == phase && t + 1 < blockDim.x && keys[t] > keys[t + 1]) {
        exchange_if(keys[t], keys[t + 1], true);
        swapped = true;
      }
      __syncthreads();
    }
  } while (swapped);
  out[global_index()] = keys[t];
}

__global__ void histogram(const unsigned* in, unsigned* out) {
  __shared__ unsigned bins[64];
  for (unsigned bin = threadIdx.x; bin < 64; bin += blockDim.x) bins[bin] = 0;
  __syncthreads();
  for (unsigned i = global_index(); i < kWords; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] >> 26], 1u);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < 64; bin += blockDim.x) atomicAdd(&out[bin], bins[bin]);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(&out[64], bins[17]);
}

// Cells of a table along its diagonals, as in the algorithm of Needleman and Wunsch.
__global__ void diagonals(const unsigned* in, unsigned* out) {
  constexpr int kSize = 48;
  __shared__ int cells[kSize + 1][kSize + 1];
  const int t = threadIdx.x;
  cells[0][t + 1] = -t;
  cells[t + 1][0] = -t;
  if (t == 0) cells[0][0] = 0;
  for (int diagonal = 0; diagonal < 2 * kSize - 1; ++diagonal) {
    __syncthreads();
    const int row = t + 1;
    const int column = diagonal - t + 1;
    if (column < 1 || column > kSize) continue;
    const int score = int(in[blockIdx.x * kSize * kSize + (row - 1) * kSize + column - 1] % 11) - 5;
    cells[row][column] =
        max(cells[row - 1][column - 1] + score, max(cells[row - 1][column], cells[row][column - 1]) - 2);
  }
  __syncthreads();
  for (int column = 1; column <= kSize; ++column)
    out[(blockIdx.x * kSize + t) * kSize + column - 1] = cells[t + 1][column];
}

// A column of Gauss's elimination after the other: the threads of smaller index have nothing to do any more.
__global__ void elimination(const unsigned* in, unsigned* out) {
  constexpr unsigned kSize = 24;
  __shared__ double matrix[kSize][kSize + 1];
  const unsigned row = threadIdx.y;
  for (unsigned column = threadIdx.x; column < kSize; column += blockDim.x)
    matrix[row][column] = to_float(in[blockIdx.x * kSize * kSize + row * kSize + column]) + (row == column ? 9.0 : 0.0);
  __syncthreads();
  for (unsigned pivot = 0; pivot + 1 < kSize; ++pivot) {
    if (row > pivot && threadIdx.x == 0) matrix[row][pivot] /= matrix[pivot][pivot];
    __syncthreads();
    for (unsigned column = pivot + 1 + threadIdx.x; row > pivot && column < kSize; column += blockDim.x)
      matrix[row][column] -= matrix[row][pivot] * matrix[pivot][column];
    __syncthreads();
  }
  for (unsigned column = threadIdx.x; column < kSize; column += blockDim.x)
    out[blockIdx.x * kSize * kSize + row * kSize + column] = __double2hiint(matrix[row][column]);
}

__global__ void transposed(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32][33];
  const unsigned n = gridDim.x * 32;
  for (unsigned row = threadIdx.y; row < 32; row += blockDim.y)
    tile[row][threadIdx.x] = in[(blockIdx.y * 32 + row) * n + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  for (unsigned row = threadIdx.y; row < 32; row += blockDim.y)
    out[(blockIdx.x * 32 + row) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][row];
}

// What a thread knows of its place, passed on to the thread after the next one.
__global__ void places(const unsigned* in, unsigned* out) {
  __shared__ uint4 notes[512];
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  notes[t] = make_uint4(threadIdx.x, threadIdx.y, threadIdx.z, blockIdx.x + 16 * blockIdx.y + 256 * blockIdx.z);
  __syncthreads();
  const uint4 note = notes[(t + 2) % threads];
  out[global_index()] = note.x + 64 * note.y + 4096 * note.z + (note.w << 20) + in[t] % 3;
}

// clang++ does what the line asks for, and g++ does not.
__global__ void contracted(const unsigned* in, unsigned* out) {
#pragma STDC FP_CONTRACT ON
  __shared__ float values[64];
  const float x = 1.0F + static_cast<float>(in[blockIdx.x * 64 + threadIdx.x] % 1000) * 1.2345e-4F;
  values[threadIdx.x] = x * x + 0.3F * x;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = __float_as_uint(values[63 - threadIdx.x]);
}

// clang++ would make exp2() and sqrt() of these.
__global__ void powers(const unsigned* in, unsigned* out) {
  __shared__ double values[64];
  const double x = static_cast<double>(in[blockIdx.x * 64 + threadIdx.x] % 40000) * 1e-3;
  const auto near = static_cast<float>(x);
  values[threadIdx.x] = pow(0.5, x) + pow(8.0, x) + pow(x, 0.5) + powf(near, 0.5F) + std::pow(2.0F, near);
  __syncthreads();
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(values[63 - threadIdx.x]));
  out[blockIdx.x * 64 + threadIdx.x] = static_cast<unsigned>(bits ^ bits >> 32);
}

const Test kTests[] = {
    {"powers", powers, 16, 64},
    {"contracted", contracted, 4, 64},
    {"tree_sum", tree_sum<256>, 16, 256},
    {"tree_sum_64", tree_sum<64>, 7, 64},
    {"tree_sum_33", tree_sum<64>, 5, 33},
    {"folded_sum_1", folded_sum, 3, 1},
    {"folded_sum_33", folded_sum, 3, 33},
    {"folded_sum_100", folded_sum, 3, 100},
    {"folded_sum_1000", folded_sum, 3, 1000},
    {"folded_sum_1024", folded_sum, 3, 1024},
    {"tiled_product", tiled_product, dim3(4, 4), dim3(16, 16)},
    {"stencil", stencil, 8, 256},
    {"stencil_100", stencil, 8, 100},
    {"hillis_steele", hillis_steele, 8, 256},
    {"hillis_steele_77", hillis_steele, 8, 77},
    {"blelloch", blelloch, 8, 128, 1024},
    {"bitonic", bitonic, 8, 256},
    {"bitonic_32", bitonic, 8, 32},
    {"odd_even_sort", odd_even_sort, 2, 100},
    {"histogram", histogram, 4, 256},
    {"histogram_48", histogram, 5, 48},
    {"diagonals", diagonals, 3, 48},
    {"elimination", elimination, 2, dim3(8, 24)},
    {"transposed", transposed, dim3(4, 4), dim3(32, 8)},
    {"places_1d", places, 3, 100},
    {"places_2d", places, dim3(2, 3), dim3(9, 7)},
    {"places_3d", places, dim3(2, 2, 2), dim3(5, 3, 4)},
    {"places_y", places, dim3(1, 2), dim3(1, 64)},
    {"places_z", places, dim3(1, 1, 2), dim3(1, 1, 33)},
};

int main() { return run_all(kTests); }
