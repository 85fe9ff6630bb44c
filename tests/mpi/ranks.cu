// SPDX-License-Identifier: Apache-2.0
// Kernels between messages: parts that are scattered and reduced, halos that go round a ring of processes while a kernel
// runs, and device memory that is handed to MPI. With "race RANK" that process adds up without a barrier at the end.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "ranks.h"

__global__ void roots(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sqrtf(in[i]);
}

// Each cell becomes the sum of itself and the cells next to it; cells 0 and n + 1 are those of other processes.
__global__ void blur(const int* in, int* out, int first, int last) {
  const int i = first + int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i <= last) out[i] = in[i - 1] + in[i] + in[i + 1];
}

__global__ void sum_wrongly(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[1 + t];
  for (int o = 32; o > 0; o >>= 1) {
    __syncthreads();
    if (t < 2 * o) s[t] += s[(t + o) % 64];
  }
  if (t == 0) *out = s[0];
}

namespace {

int rank = 0;
int ranks = 1;

bool all_agree(bool mine) {
  int one = mine ? 1 : 0;
  int all = 0;
  MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all == 1;
}

bool scatter_and_reduce() {
  constexpr int kPart = 3000;
  std::vector<float> numbers(rank == 0 ? kPart * ranks : 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = float((i % 50) * (i % 50));
  std::vector<float> part(kPart);
  MPI_Scatter(numbers.data(), kPart, MPI_FLOAT, part.data(), kPart, MPI_FLOAT, 0, MPI_COMM_WORLD);
  float *in, *out;
  cudaMalloc(&in, kPart * sizeof(float));
  cudaMalloc(&out, kPart * sizeof(float));
  cudaMemcpy(in, part.data(), kPart * sizeof(float), cudaMemcpyHostToDevice);
  roots<<<(kPart + 127) / 128, 128>>>(in, out, kPart);
  cudaMemcpy(part.data(), out, kPart * sizeof(float), cudaMemcpyDeviceToHost);
  float mine = 0, total = 0;
  for (float root : part) mine += root;
  MPI_Reduce(&mine, &total, 1, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
  cudaFree(in);
  cudaFree(out);
  return rank != 0 || total == 24.5F * kPart * float(ranks);
}

/// Several steps of blur() over a ring of cells, of which each process has kCells. `aware`: MPI is given device memory.
bool exchange_halos(bool aware) {
  constexpr int kCells = 64, kSteps = 5;
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  int *cells, *next, *halos;
  cudaMalloc(&cells, (kCells + 2) * sizeof(int));
  cudaMalloc(&next, (kCells + 2) * sizeof(int));
  cudaMallocHost(&halos, 4 * sizeof(int));
  std::vector<int> host(kCells + 2, 0);
  host[1] = rank + 1;
  cudaMemcpy(cells, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaStream_t inner, outer;
  cudaStreamCreate(&inner);
  cudaStreamCreate(&outer);
  for (int step = 0; step < kSteps; ++step) {
    blur<<<1, kCells, 0, inner>>>(cells, next, 2, kCells - 1);
    int* const sent[] = {aware ? cells + 1 : halos, aware ? cells + kCells : halos + 1};
    int* const got[] = {aware ? cells : halos + 2, aware ? cells + kCells + 1 : halos + 3};
    if (!aware) {
      cudaMemcpyAsync(sent[0], cells + 1, sizeof(int), cudaMemcpyDeviceToHost, outer);
      cudaMemcpyAsync(sent[1], cells + kCells, sizeof(int), cudaMemcpyDeviceToHost, outer);
      cudaStreamSynchronize(outer);
    }
    MPI_Request requests[4];
    MPI_Irecv(got[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(got[1], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(sent[0], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(sent[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    if (!aware) {
      cudaMemcpyAsync(cells, got[0], sizeof(int), cudaMemcpyHostToDevice, outer);
      cudaMemcpyAsync(cells + kCells + 1, got[1], sizeof(int), cudaMemcpyHostToDevice, outer);
    }
    blur<<<1, 1, 0, outer>>>(cells, next, 1, 1);
    blur<<<1, 1, 0, outer>>>(cells, next, kCells, kCells);
    cudaDeviceSynchronize();
    std::swap(cells, next);
  }
  cudaMemcpy(host.data(), cells, host.size() * sizeof(int), cudaMemcpyDeviceToHost);
  int mine = 0, total = 0, expected = ranks * (ranks + 1) / 2;
  for (int i = 1; i <= kCells; ++i) mine += host[i];
  MPI_Allreduce(&mine, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int step = 0; step < kSteps; ++step) expected *= 3;
  // What begins in cell 1 reaches the process on the left.
  return total == expected && host[kCells] != 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool scattered = all_agree(scatter_and_reduce());
  const bool copied = all_agree(exchange_halos(false));
  const bool aware = all_agree(exchange_halos(true));
  const bool linked = all_agree(of_other_file(rank) == rank * rank);
  if (argc == 3 && std::strcmp(argv[1], "race") == 0 && std::atoi(argv[2]) == rank) {
    int* data;
    cudaMalloc(&data, 66 * sizeof(int));
    cudaMemset(data, 0, 66 * sizeof(int));
    sum_wrongly<<<1, 64>>>(data, data);
    cudaDeviceSynchronize();
  }
  const bool good = scattered && copied && aware && linked;
  if (rank == 0) {
    std::printf("%d processes: scattered %d, copied %d, aware %d, linked %d: %s\n", ranks, scattered, copied, aware, linked,
                good ? "PASS" : "FAIL");
  }
  MPI_Finalize();
  return good ? 0 : 1;
}
