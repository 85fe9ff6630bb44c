// SPDX-License-Identifier: Apache-2.0
// Children of a process that uses CUDA, while one of its kernels runs. The first argument says what a child does; the
// program prints what became of it and of the kernel.
#include <cuda_runtime.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

extern char** environ;

__device__ int variable;
__managed__ int managed;

__global__ void spin(int* flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
}

__global__ void count(int* counter) {
  atomicAdd(counter, 1);
}

namespace {

const char* program;
bool all_refused = true;

void refused(const char* what, cudaError_t error) {
  if (error == cudaErrorInitializationError) return;
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  all_refused = false;
}

int use_cuda() {
  void* memory = nullptr;
  int number = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaMemPool_t pool = nullptr;
  cudaArray_t array = nullptr;
  cudaGraph_t graph = nullptr;
  cudaDeviceProp properties;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  refused("cudaMalloc", cudaMalloc(&memory, 100));
  refused("cudaGetLastError", cudaGetLastError());
  refused("cudaGetDeviceCount", cudaGetDeviceCount(&number));
  refused("cudaSetDevice", cudaSetDevice(0));
  refused("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, 0));
  refused("cudaDeviceSynchronize", cudaDeviceSynchronize());
  refused("cudaDeviceReset", cudaDeviceReset());
  refused("cudaStreamCreate", cudaStreamCreate(&stream));
  refused("cudaStreamSynchronize", cudaStreamSynchronize(nullptr));
  refused("cudaEventCreate", cudaEventCreate(&event));
  refused("cudaMallocManaged", cudaMallocManaged(&memory, 100));
  refused("cudaMallocHost", cudaMallocHost(&memory, 100));
  refused("cudaMallocAsync", cudaMallocAsync(&memory, 100, nullptr));
  refused("cudaDeviceGetDefaultMemPool", cudaDeviceGetDefaultMemPool(&pool, 0));
  refused("cudaMallocArray", cudaMallocArray(&array, &format, 4, 4));
  refused("cudaMemcpyToSymbol", cudaMemcpyToSymbol(variable, &number, sizeof number));
  refused("cudaFree", cudaFree(nullptr));
  refused("cudaGraphCreate", cudaGraphCreate(&graph, 0));
  cudaGetLastError();
  count<<<1, 1>>>(&managed);
  refused("<<<>>>", cudaGetLastError());
  void* arguments[] = {&memory};
  refused("cudaLaunchKernel",
          cudaLaunchKernel(reinterpret_cast<void*>(count), dim3(1), dim3(1), arguments, 0, nullptr));
  if (cudaRuntimeGetVersion(&number) != cudaSuccess) all_refused = false;
  managed = 7;  // the child's own copy
  return all_refused && managed == 7 ? 0 : 1;
}

int outcome_of(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Prints what `work` ends with in a child.
template <class Work>
void in_child(Work&& work) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) std::exit(work());
  std::printf("child %d\n", outcome_of(child));
}

/// Made without the handlers of fork().
void in_bare_child() {
  std::fflush(stdout);
  const auto child = static_cast<pid_t>(syscall(SYS_fork));
  if (child == 0) _exit(use_cuda());
  std::printf("child %d\n", outcome_of(child));
}

char* const* arguments_of_itself() {
  static std::string word = "compute";
  static char* arguments[] = {const_cast<char*>(program), word.data(), nullptr};
  return arguments;
}

int replace_itself() {
  execv(program, arguments_of_itself());
  return 1;
}

void spawn() {
  pid_t child = 0;
  std::fflush(stdout);
  if (posix_spawn(&child, program, nullptr, nullptr, arguments_of_itself(), environ) != 0) std::abort();
  std::printf("child %d\n", outcome_of(child));
}

void terminate() {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  kill(child, SIGTERM);
  std::printf("child %d\n", outcome_of(child));
}

void in_host_function(cudaStream_t stream) {
  static int outcome = -1;
  const auto body = [](void*) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child != 0) outcome = outcome_of(child);
  };
  cudaLaunchHostFunc(stream, body, nullptr);
  cudaStreamSynchronize(stream);
  std::printf("child %d\n", outcome);
}

void work_until(const std::atomic<bool>& stop) {
  cudaStream_t own = nullptr;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  while (!stop.load()) {
    void* memory = nullptr;
    cudaMallocAsync(&memory, 1000, own);
    cudaMemsetAsync(memory, 0, 1000, own);
    count<<<2, 32, 0, own>>>(static_cast<int*>(memory));
    cudaFreeAsync(memory, own);
    cudaStreamSynchronize(own);
  }
  cudaStreamDestroy(own);
}

/// Whatever locks other threads hold at that moment.
void among_threads() {
  std::atomic<bool> stop{false};
  std::thread threads[3];
  for (std::thread& thread : threads) thread = std::thread([&stop] { work_until(stop); });
  for (int i = 0; i < 40; ++i) in_child(use_cuda);
  stop.store(true);
  for (std::thread& thread : threads) thread.join();
}

int compute() {
  int* counter = nullptr;
  int counted = 0;
  cudaMalloc(&counter, sizeof *counter);
  cudaMemset(counter, 0, sizeof *counter);
  count<<<4, 32>>>(counter);
  cudaMemcpy(&counted, counter, sizeof counted, cudaMemcpyDeviceToHost);
  cudaFree(counter);
  return counted == 128 ? 0 : 1;
}

int before_use() {
  for (int i = 0; i < 2; ++i) in_child(compute);
  const int own = compute();
  in_child(use_cuda);
  return own;
}

}  // namespace

int main(int, char** arguments) {
  program = arguments[0];
  const std::string mode = arguments[1];
  if (mode == "compute") return compute();
  if (mode == "before-use") return before_use();
  int* flag = nullptr;
  cudaStream_t stream = nullptr;
  cudaMallocHost(&flag, sizeof *flag);
  __atomic_store_n(flag, 0, __ATOMIC_RELEASE);
  cudaStreamCreate(&stream);
  spin<<<4, 32, 0, stream>>>(flag);
  if (mode == "use") in_child(use_cuda);
  if (mode == "bare") in_bare_child();
  if (mode == "thread")
    in_child([] {
      std::thread(use_cuda).join();
      return use_cuda();
    });
  if (mode == "exit") in_child([] { return 3; });
  if (mode == "exec") in_child(replace_itself);
  if (mode == "spawn") spawn();
  if (mode == "terminate") terminate();
  if (mode == "threads") among_threads();
  if (mode == "return") {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) return use_cuda();
    std::printf("child %d\n", outcome_of(child));
  }
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  if (mode == "host-function") in_host_function(stream);
  std::printf("parent: %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
  cudaStreamDestroy(stream);
  cudaFreeHost(flag);
  return 0;
}
