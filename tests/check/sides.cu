// SPDX-License-Identifier: Apache-2.0
// The host in memory of the device, and the device in memory of the host. With an argument, only what both may use.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

__device__ int counter;
__constant__ float table[4];
__managed__ int shared_by_both;
__device__ const int kWidth = 4;
static int limit = 5;
const int kHeight = 4;
const char* const kNames[] = {"zero", "one"};

struct Pair {
  int& first;
  int* second;
};

__device__ int next() {
  static int calls = 0;
  return atomicAdd(&calls, 1);
}
__global__ void add(int* p) { atomicAdd(p, 1); }
__global__ void exchange(int* p) { atomicCAS(p, 0, 1); }
__global__ void read_limit(int* out) { *out = limit; }
__global__ void read_reference(int& from, int* out) { *out = from; }
__global__ void read_pair(Pair pair, int* out) { *out = *pair.second; }
__global__ void allowed(int* out, int i) {
  out[0] = kWidth + kHeight + next() + kNames[i][0];
  shared_by_both += 1;
  static const int sizes[] = {3, 5, 7};
  out[1] = sizes[i];
}

sigjmp_buf back;
volatile sig_atomic_t faults = 0;

void on_fault(int) {
  faults = faults + 1;
  siglongjmp(back, 1);
}

/// What would end the program under CUDA.
template <class Access>
void expect_fault(Access access) {
  if (sigsetjmp(back, 1) == 0) access();
}

void host_in_device() {
  int* d;
  cudaMalloc(&d, 4 * sizeof(int));
  int values[4] = {1, 2, 3, 4};
  std::signal(SIGSEGV, on_fault);
  expect_fault([&] { d[1] = 7; });
  expect_fault([&] { values[0] = d[2]; });
  expect_fault([&] { std::memcpy(d, values, sizeof values); });
  expect_fault([&] { values[1] = std::accumulate(d, d + 4, 0); });
  expect_fault([&] { __atomic_fetch_add(d, 1, __ATOMIC_RELAXED); });
  std::printf("%d faults\n", static_cast<int>(faults));
  counter = 5;
  for (int i = 0; i < 4; ++i) table[i] = static_cast<float>(i);
  std::printf("%d\n", counter + kWidth);
  cudaFree(d);
}

void wait(const char* what) {
  std::printf("%s %s\n", what, cudaGetErrorName(cudaDeviceSynchronize()));
  cudaDeviceReset();
}

void device_in_host() {
  int* d;
  int local = 0;
  int* heap = static_cast<int*>(std::malloc(sizeof(int)));
  *heap = 0;
  add<<<1, 2>>>(heap);
  wait("heap");
  exchange<<<1, 2>>>(&local);
  wait("stack");
  add<<<1, 2>>>(&limit);
  wait("variable");
  cudaMalloc(&d, sizeof(int));
  read_limit<<<1, 1>>>(d);
  wait("limit");
  cudaMalloc(&d, sizeof(int));
  read_reference<<<1, 1>>>(local, d);
  wait("reference");
  cudaMalloc(&d, sizeof(int));
  read_pair<<<1, 1>>>(Pair{local, heap}, d);
  wait("pair");
  std::free(heap);
}

void both_sides() {
  int* managed;
  int* pinned;
  int registered[4] = {};
  static int also_registered[4] = {};
  cudaMallocManaged(&managed, 4 * sizeof(int));
  cudaMallocHost(&pinned, 4 * sizeof(int));
  cudaHostRegister(registered, sizeof registered, cudaHostRegisterDefault);
  cudaHostRegister(also_registered, sizeof also_registered, cudaHostRegisterDefault);
  shared_by_both = 0;
  for (int i = 0; i < 4; ++i) managed[i] = pinned[i] = registered[i] = also_registered[i] = i;
  const float values[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(table, values, sizeof values);
  const int five = 5;
  cudaMemcpyToSymbol(counter, &five, sizeof five);
  for (int* p : {managed, pinned, registered, also_registered}) add<<<1, 2>>>(p);
  allowed<<<1, 1>>>(managed, 1);
  std::printf("both %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%d\n", managed[0] + managed[1] + pinned[0] + registered[0] + also_registered[0] + shared_by_both +
                          std::accumulate(pinned, pinned + 4, 0));
  cudaFree(managed);
  cudaFreeHost(pinned);
}

int main(int count, char**) {
  if (count > 1) {
    both_sides();
    return 0;
  }
  host_in_device();
  device_in_host();
}
