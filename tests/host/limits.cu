// SPDX-License-Identifier: Apache-2.0
// A host that the system gives no thread but its own: the C library's function always refuses. Everything works all the
// same, in the threads that wait for it. The first argument says how the program ends.
#include <cuda_runtime.h>
#include <pthread.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

__global__ void count(int* counter) {
  atomicAdd(counter, 1);
}

__global__ void leave(int* values) {
  if (threadIdx.x == 3) values[blockDim.x * 4] = 0;
}

namespace {

int refused = 0;
bool failed = false;

void expect(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  failed = true;
}

}  // namespace

// The checker's hooks need threads as well.
extern "C" __attribute__((no_sanitize("thread"))) int pthread_create(pthread_t*, const pthread_attr_t*,
                                                                     void* (*)(void*), void*) {
  ++refused;
  return EAGAIN;
}

int main(int, char** arguments) {
  int* counter = nullptr;
  int* result = nullptr;
  static int called = 0;
  cudaStream_t one = nullptr;
  cudaStream_t other = nullptr;
  cudaEvent_t between = nullptr;
  const auto call = [](void*) { ++called; };
  expect("cudaMalloc", cudaMalloc(&counter, 400));
  expect("cudaMallocHost", cudaMallocHost(&result, sizeof *result));
  expect("cudaMemset", cudaMemset(counter, 0, 400));
  expect("cudaStreamCreate", cudaStreamCreate(&one));
  expect("cudaStreamCreateWithFlags", cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  expect("cudaEventCreate", cudaEventCreate(&between));
  count<<<100, 64>>>(counter);
  expect("cudaDeviceSynchronize", cudaDeviceSynchronize());
  count<<<100, 64, 0, one>>>(counter);
  expect("cudaEventRecord", cudaEventRecord(between, one));
  expect("cudaStreamWaitEvent", cudaStreamWaitEvent(other, between, 0));
  count<<<10, 32, 0, other>>>(counter);
  expect("cudaMemcpyAsync", cudaMemcpyAsync(result, counter, sizeof *result, cudaMemcpyDeviceToHost, other));
  expect("cudaLaunchHostFunc", cudaLaunchHostFunc(other, call, nullptr));
  while (cudaStreamQuery(other) == cudaErrorNotReady) {
  }
  std::printf("%d, called %d\n", *result, called);
  expect("cudaLaunchHostFunc", cudaLaunchHostFunc(one, call, nullptr));
  expect("cudaStreamSynchronize", cudaStreamSynchronize(one));
  std::printf("called %d\n", called);
  if (std::strcmp(arguments[1], "fault") == 0) leave<<<1, 25>>>(counter);
  if (std::strcmp(arguments[1], "unfinished") == 0) count<<<1, 1, 0, one>>>(counter);
  if (std::strcmp(arguments[1], "finished") == 0) expect("cudaFree", cudaFree(counter));
  std::printf("%s\n", refused != 0 ? "refused" : "no thread was asked for");
  return failed ? 1 : 0;
}
