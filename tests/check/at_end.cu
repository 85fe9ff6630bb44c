// SPDX-License-Identifier: Apache-2.0
// Launches the kernel that the first argument names, waits for nothing, and ends as the second says.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

__global__ void fill(int* d) {
  d[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void beyond(int* d) {
  d[blockIdx.x * blockDim.x + threadIdx.x + 1] = 1;
}

__global__ void race(int* d) {
  d[0] = threadIdx.x + blockIdx.x * blockDim.x;
}

__global__ void hang(volatile int* d) {
  while (d[0] != 77) {
  }
}

// Uses the device after main() has returned.
struct Owner {
  ~Owner() {
    if (memory == nullptr) return;
    if (launches) fill<<<1, 1>>>(memory);
    std::fprintf(stderr, "freed: %s\n", cudaGetErrorName(cudaFree(memory)));
  }
  int* memory = nullptr;
  bool launches = false;
} owner;

void launch(const std::string& kernel, cudaStream_t stream) {
  int* d = nullptr;
  cudaMalloc(&d, 1024 * sizeof(int));
  cudaMemset(d, 0, 1024 * sizeof(int));
  if (kernel == "refused-race") fill<<<4, 4096, 0, stream>>>(d);
  if (kernel == "fill") fill<<<4, 256, 0, stream>>>(d);
  if (kernel == "beyond") beyond<<<4, 256, 0, stream>>>(d);
  if (kernel.find("race") != std::string::npos) race<<<4, 256, 0, stream>>>(d);
  if (kernel == "hang") hang<<<1, 1, 0, stream>>>(d);
}

void in_child(const std::string& kernel) {
  if (fork() == 0) {
    launch(kernel, nullptr);
    exit(0);
  }
  int status = 0;
  wait(&status);
  std::fprintf(stderr, "child: %d\n", WEXITSTATUS(status));
}

int main(int, char** argv) {
  const std::string kernel = argv[1];
  const std::string end = argv[2];
  if (end == "child") return in_child(kernel), 0;
  cudaStream_t stream = nullptr;
  if (end == "stream" || end == "function") cudaStreamCreate(&stream);
  launch(kernel, stream);
  if (end == "exit") exit(0);
  if (end == "fail") exit(5);
  if (end == "quick") quick_exit(0);
  if (end == "quick-fail") quick_exit(5);
  if (end == "_exit") _exit(0);
  if (end == "thread") std::thread([] { exit(0); }).join();
  if (end == "static" || end == "static-launch") cudaMalloc(&owner.memory, 4);
  owner.launches = end == "static-launch";
  if (end == "sync") cudaDeviceSynchronize();
  if (end == "compares" && cudaDeviceSynchronize() != cudaSuccess) std::fprintf(stderr, "compared\n");
  if (end == "asks") {
    cudaDeviceSynchronize();
    cudaGetLastError();
  }
  if (end == "function") {
    static std::atomic<bool> launched{false};
    cudaLaunchHostFunc(
        stream,
        [](void*) {
          launched.wait(false);
          exit(0);
        },
        nullptr);
    fill<<<1, 1, 0, stream>>>(nullptr);
    launched = true;
    launched.notify_all();
    pause();
  }
}
