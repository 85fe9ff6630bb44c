// SPDX-License-Identifier: Apache-2.0
// Host functions of streams that wait, as the argument says: for what nobody will do, or for what takes a while.
#include <semaphore.h>
#include <time.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

__global__ void write(int* number) {
  *number = 1;
}
__global__ void poll(volatile int* flag) {
  while (*flag == 0) {
  }
}

sem_t first;
sem_t second;
cudaStream_t one;
cudaStream_t other;
int* number;

void wait_for_first(void*) {
  sem_wait(&first);
}
void post_first(void*) {
  sem_post(&first);
}
void wait_and_post(void* turned) {
  sem_wait(turned == nullptr ? &first : &second);
  sem_post(turned == nullptr ? &second : &first);
}
void wait_and_write(cudaStream_t, cudaError_t, void*) {
  sem_wait(&first);
  *number = 1;
}

/// The host signals after it has waited for the stream.
void for_host() {
  cudaLaunchHostFunc(one, wait_for_first, nullptr);
  cudaStreamSynchronize(one);
  sem_post(&first);
}
void for_each_other() {
  cudaLaunchHostFunc(one, wait_and_post, nullptr);
  cudaLaunchHostFunc(other, wait_and_post, &second);
  cudaDeviceSynchronize();
}
void for_later_work() {
  cudaLaunchHostFunc(one, wait_for_first, nullptr);
  write<<<1, 1, 0, one>>>(number);
  cudaLaunchHostFunc(one, post_first, nullptr);
  std::puts(cudaGetErrorName(cudaStreamSynchronize(one)));
}
/// Nobody waits for a stream.
void behind_another() {
  cudaLaunchHostFunc(one, wait_for_first, nullptr);
  cudaLaunchHostFunc(one, post_first, nullptr);
  sem_wait(&second);
}
/// A kernel polls what a host function would write.
void with_kernel() {
  poll<<<1, 32, 0, one>>>(number);
  cudaStreamAddCallback(other, wait_and_write, nullptr, 0);
  std::printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(one)));
  sem_post(&first);
}

void post_later() {
  const timespec time{3, 0};
  nanosleep(&time, nullptr);
  sem_post(&first);
}
void for_slow_thread() {
  cudaLaunchHostFunc(one, wait_for_first, nullptr);
  std::thread slow(post_later);
  cudaStreamSynchronize(one);
  slow.join();
}
void for_timer() {
  std::signal(SIGALRM, [](int) { sem_post(&first); });
  alarm(3);
  cudaLaunchHostFunc(one, wait_for_first, nullptr);
  cudaStreamSynchronize(one);
}

int main(int, char** arguments) {
  struct Mode {
    const char* name;
    void (*run)();
  };
  constexpr Mode kModes[] = {{"host", for_host},         {"each-other", for_each_other}, {"later", for_later_work},
                             {"behind", behind_another}, {"kernel", with_kernel},        {"slow", for_slow_thread},
                             {"timer", for_timer}};
  sem_init(&first, 0, 0);
  sem_init(&second, 0, 0);
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  cudaMallocManaged(&number, sizeof *number);
  for (const Mode& mode : kModes) {
    if (std::strcmp(arguments[1], mode.name) == 0) mode.run();
  }
  cudaFree(number);
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
  std::puts("returned");
}
