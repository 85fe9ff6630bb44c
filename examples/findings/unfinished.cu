// SPDX-License-Identifier: Apache-2.0
//
// A host function of a stream ends the program while a kernel behind it waits; corrected, the main thread does.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

__global__ void fill(int* out) {
  out[threadIdx.x] = threadIdx.x;
}

void note(void* done) {
  *static_cast<bool*>(done) = true;
}

void leave(void* launched) {
  while (!*static_cast<std::atomic<bool>*>(launched)) std::this_thread::yield();
  std::exit(0);  // while the kernel after this function waits for it
}

int main() {
  int* out;
  bool done = false;
  cudaStream_t stream;
  cudaMalloc(&out, 32 * sizeof(int));
  cudaStreamCreate(&stream);
  cudaLaunchHostFunc(stream, note, &done);
  fill<<<1, 32, 0, stream>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(stream)));

  std::atomic<bool> launched{false};
  cudaLaunchHostFunc(stream, leave, &launched);
  fill<<<1, 32, 0, stream>>>(out);
  launched = true;
  cudaStreamSynchronize(stream);
}
