// SPDX-License-Identifier: Apache-2.0
//
// Each process adds up its part of the numbers on a device, and MPI adds up the parts.
#include <mpi.h>

#include <cstdio>
#include <vector>

__global__ void sum(const int* in, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, devices = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  cudaGetDeviceCount(&devices);
  cudaSetDevice(rank % devices);

  constexpr int kPart = 1000;
  std::vector<int> all(rank == 0 ? kPart * ranks : 0, 3), part(kPart);
  MPI_Scatter(all.data(), kPart, MPI_INT, part.data(), kPart, MPI_INT, 0, MPI_COMM_WORLD);

  int *in, *out, mine = 0, total = 0;
  cudaMalloc(&in, kPart * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, part.data(), kPart * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(int));
  sum<<<(kPart + 255) / 256, 256>>>(in, kPart, out);
  cudaMemcpy(&mine, out, sizeof(int), cudaMemcpyDeviceToHost);
  MPI_Reduce(&mine, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);

  // MPI that knows of CUDA takes pointers to device memory, too.
  MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int same = 0;
  cudaMemcpy(&same, out, sizeof(int), cudaMemcpyDeviceToHost);
  if (rank == 0) std::printf("%d processes: the sum of %d numbers is %d, %d\n", ranks, kPart * ranks, total, same);
  MPI_Finalize();
}
