// SPDX-License-Identifier: Apache-2.0
// What the checker costs: scripts/bench-check builds this twice, with access hooks and without, and compares. Each line
// printed is a figure and its number: the least CPU time of some launches, in ms, or the accesses of one launch.
#include <cstdio>
#include <ctime>

namespace {

constexpr int kTile = 16;
constexpr int kBlock = 256;
constexpr int kLaunches = 5;

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void tree(const float* in, float* out) {
  __shared__ float partial[kBlock];
  const int t = threadIdx.x;
  partial[t] = in[blockIdx.x * kBlock + t];
  __syncthreads();
  for (int d = kBlock / 2; d > 0; d /= 2) {
    if (t < d) partial[t] += partial[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  const int to_x = blockIdx.y * 32 + threadIdx.x, to_y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(to_y + j) * n + to_x] = tile[threadIdx.x][threadIdx.y + j];
}

/// Of each block's elements (Hillis and Steele).
__global__ void scan(const float* in, float* out) {
  __shared__ float sums[2][kBlock];
  const int t = threadIdx.x;
  int now = 0;
  sums[0][t] = in[blockIdx.x * kBlock + t];
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    sums[1 - now][t] = t >= d ? sums[now][t] + sums[now][t - d] : sums[now][t];
    now = 1 - now;
    __syncthreads();
  }
  out[blockIdx.x * kBlock + t] = sums[now][t];
}

/// Sorts each block's elements by a bitonic network, two of them a thread.
__global__ void sort(const float* in, float* out) {
  __shared__ float keys[2 * kBlock];
  const int t = threadIdx.x;
  const int first = blockIdx.x * 2 * kBlock + t;
  keys[t] = in[first];
  keys[t + kBlock] = in[first + kBlock];
  for (int size = 2; size <= 2 * kBlock; size *= 2) {
    const bool up = size == 2 * kBlock || (t & (size / 2)) == 0;
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int at = 2 * t - (t & (stride - 1));
      const float low = keys[at], high = keys[at + stride];
      if ((low > high) == up) {
        keys[at] = high;
        keys[at + stride] = low;
      }
    }
  }
  __syncthreads();
  out[first] = keys[t];
  out[first + kBlock] = keys[t + kBlock];
}

__global__ void histogram(const float* in, unsigned* bins, int n) {
  __shared__ unsigned counts[kBlock];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) {
    atomicAdd(&counts[(i * 17 + static_cast<int>(in[i])) % kBlock], 1);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

constexpr int kRadius = 8, kColumns = 16, kSteps = 8;
__constant__ float taps[2 * kRadius + 1];

/// Along rows of `n`, kSteps elements a thread; beyond the ends of a block's piece lies 0.
__global__ void convolve_rows(const float* in, float* out, int n) {
  __shared__ float row[4][(kSteps + 2) * kColumns];
  const int x = blockIdx.x * kSteps * kColumns + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  row[threadIdx.y][threadIdx.x] = row[threadIdx.y][threadIdx.x + (kSteps + 1) * kColumns] = 0;
#pragma unroll
  for (int i = 0; i < kSteps; ++i) {
    row[threadIdx.y][threadIdx.x + (i + 1) * kColumns] = in[y * n + x + i * kColumns];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kSteps; ++i) {
    float sum = 0;
#pragma unroll
    for (int j = -kRadius; j <= kRadius; ++j) {
      sum += taps[kRadius - j] * row[threadIdx.y][threadIdx.x + (i + 1) * kColumns + j];
    }
    out[y * n + x + i * kColumns] = sum;
  }
}

float* ones(int count) {
  float* host = new float[count];
  for (int i = 0; i < count; ++i) host[i] = 1;
  float* made = nullptr;
  cudaMalloc(&made, count * sizeof(float));
  cudaMemcpy(made, host, count * sizeof(float), cudaMemcpyHostToDevice);
  delete[] host;
  return made;
}

double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

/// The first launch pays for memory that nobody has touched.
template <class Launch>
void measure(const char* figure, Launch launch) {
  double least = 0;
  for (int i = 0; i <= kLaunches; ++i) {
    const double before = cpu_ms();
    launch();
    cudaDeviceSynchronize();
    const double took = cpu_ms() - before;
    if (i == 1 || (i > 1 && took < least)) least = took;
  }
  std::printf("%s %.3f\n", figure, least);
}

/// Megabytes that the process has had at most.
double peak_mb() {
  double kilobytes = 0;
  char line[256];
  std::FILE* status = std::fopen("/proc/self/status", "r");
  while (std::fgets(line, sizeof line, status) != nullptr) std::sscanf(line, "VmHWM: %lf", &kilobytes);
  std::fclose(status);
  return kilobytes / 1024;
}

void measure_shared_kernels(const float* in, float* out) {
  constexpr int kSide = 512, kAll = kSide * kSide;
  unsigned* bins = nullptr;
  cudaMalloc(&bins, kBlock * sizeof(unsigned));
  cudaMemset(bins, 0, kBlock * sizeof(unsigned));
  const float weights[2 * kRadius + 1] = {1};
  cudaMemcpyToSymbol(taps, weights, sizeof weights);
  measure("transpose", [&] { transpose<<<dim3(kSide / 32, kSide / 32), dim3(32, 8)>>>(in, out, kSide); });
  measure("scan", [&] { scan<<<kAll / kBlock, kBlock>>>(in, out); });
  measure("sort", [&] { sort<<<kAll / kBlock / 2, kBlock>>>(in, out); });
  measure("histogram", [&] { histogram<<<64, kBlock>>>(in, bins, kAll); });
  measure("convolution",
          [&] { convolve_rows<<<dim3(kSide / kSteps / kColumns, kSide / 4), dim3(kColumns, 4)>>>(in, out, kSide); });
}

}  // namespace

int main() {
  constexpr int kSide = 512, kSummed = 1 << 20, kLong = 1 << 22;
  float* a = ones(kSide * kSide);
  float* b = ones(kSide * kSide);
  float* c = ones(kSide * kSide);
  measure("matmul", [&] { product<<<dim3(kSide / kTile, kSide / kTile), dim3(kTile, kTile)>>>(a, b, c, kSide); });
  std::printf("matmul_accesses %.0f\n", 2.0 * kSide * kSide * kSide * (1 + 2.0 / kTile) + kSide * kSide);
  float* out = ones(kSummed / kBlock);
  float* in = ones(kSummed);
  float* out_of_all = ones(kSide * kSide);
  measure("reduction", [&] { tree<<<kSummed / kBlock, kBlock>>>(in, out); });
  measure_shared_kernels(in, out_of_all);
  const double before = peak_mb();
  float* x = ones(kLong);
  float* y = ones(kLong);
  measure("saxpy", [&] { saxpy<<<kLong / kBlock, kBlock>>>(2, x, y, kLong); });
  std::printf("memory %.1f\n", peak_mb() - before);
  float sum[3] = {};
  cudaMemcpy(&sum[0], c, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum[1], out, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum[2], y, sizeof(float), cudaMemcpyDeviceToHost);
  return sum[0] == kSide && sum[1] == kBlock && sum[2] == 1 + 2 * (kLaunches + 1) ? 0 : 1;
}
