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
  cudaMallocManaged(&right, 6 * sizeof(int));
  right[5] = 0;
  read_all<<<1, 1>>>(right);
  wait<<<8, 64>>>(1000000, right + 5);
  cudaLaunchHostFunc(0, look, &in_function);
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i) std::printf("%d ", right[i]);
  std::printf("%d %d %d\n", host_is_right(clock), host_is_right(of_both), in_function);
}
