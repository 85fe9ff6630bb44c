// SPDX-License-Identifier: Apache-2.0
// clock() counts what clock64() counts in a kernel, however it is reached, and the processor's time on the host.
#include <cstdio>
#include <ctime>

typedef clock_t (*Clock)();

__host__ __device__ clock_t of_both() {
  return clock();
}

template <class Read>
__device__ bool counts(Read read) {
  unsigned before = static_cast<unsigned>(clock64());
  unsigned now = static_cast<unsigned>(read());
  unsigned after = static_cast<unsigned>(clock64());
  return now - before <= after - before;
}

__global__ void read_all(int* right) {
  Clock pointer = clock;
  unsigned hardware;
  right[0] = counts([] { return clock(); });
  right[1] = counts([] { return std::clock(); });
  right[2] = counts([=] { return pointer(); });
  right[3] = counts([] { return of_both(); });
  right[4] = counts([&] {
    asm volatile("mov.u32 %0, %%clock;" : "=r"(hardware));
    return hardware;
  });
}

__global__ void wait(clock_t clocks, int* done) {
  clock_t start = clock();
  while (clock() - start < clocks) {
  }
  atomicAdd(done, 1);
}

// Threads that look at the clock wait at the same time: all have started when the first ends.
__global__ void wait_together(int* started, int* seen) {
  atomicAdd(started, 1);
  clock_t start = clock();
  for (int reads = 0; reads < 1000 && clock() >= start; ++reads) {
  }
  if (threadIdx.x == 0) *seen = atomicAdd(started, 0);
}

static long long processor_time() {
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * 1000000ll + used.tv_nsec / 1000;
}

static bool host_is_right(Clock read) {
  long long before = processor_time();
  long long now = read();
  return before <= now && now <= processor_time();
}

static void CUDART_CB look(void* right) {
  *static_cast<bool*>(right) = host_is_right(clock);
}

int main() {
  int* right;
  bool in_function = false;
  cudaMallocManaged(&right, 8 * sizeof(int));
  right[5] = right[6] = 0;
  read_all<<<1, 1>>>(right);
  wait<<<8, 64>>>(1000000, right + 5);
  wait_together<<<1, 64>>>(right + 6, right + 7);
  cudaLaunchHostFunc(0, look, &in_function);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) std::printf("%d ", right[i]);
  std::printf("%d %d %d\n", host_is_right(clock), host_is_right(of_both), in_function);
}
