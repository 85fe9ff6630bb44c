// SPDX-License-Identifier: Apache-2.0
// Threads that add to one number without order.
__global__ void add(int* sum) {
  sum[0] += threadIdx.x;
}

int main() {
  int* sum;
  cudaMalloc(&sum, sizeof *sum);
  cudaMemset(sum, 0, sizeof *sum);
  add<<<1, 64>>>(sum);
  cudaDeviceSynchronize();
  cudaFree(sum);
}
