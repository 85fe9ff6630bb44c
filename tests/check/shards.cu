// SPDX-License-Identifier: Apache-2.0
// Does with some seeds what its arguments say: trap, fail and quit (no kernel runs) from
// a SEED on, differ SEED, end SIGNAL SEED FILE (once: it ends the command and leaves the file).
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

__global__ void stop(int* out) {
  if (threadIdx.x == 3) __trap();
  if (threadIdx.x == 0) *out = 0;
}

__global__ void pass(int* out) {
  if (threadIdx.x == 0) *out = 7;
}

bool made(const char* file) {
  if (access(file, F_OK) == 0) return false;
  std::fclose(std::fopen(file, "w"));
  return true;
}

int main(int argc, char** argv) {
  const char* const said = std::getenv("WARPFIBER_SEED");
  const int seed = said == nullptr ? 0 : std::atoi(said);
  const char* const tests = std::getenv("GTEST_TOTAL_SHARDS");
  if (tests != nullptr) std::printf("tests in %s\n", tests);
  int status = 0;
  bool traps = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "trap") traps = seed >= std::atoi(argv[++i]);
    if (word == "fail" && seed >= std::atoi(argv[++i])) status = 3;
    if (word == "differ" && seed == std::atoi(argv[++i])) std::printf("another line\n");
    if (word == "quit" && seed >= std::atoi(argv[++i])) return 0;
    if (word == "end") {
      const int number = std::atoi(argv[++i]);
      const bool is_now = seed == std::atoi(argv[++i]);
      if (is_now && made(argv[++i])) {
        kill(getppid(), number);
        while (number != SIGKILL) pause();
        return 0;
      }
    }
  }
  int* out = nullptr;
  cudaMalloc(&out, sizeof(int));
  if (traps) {
    stop<<<1, 32>>>(out);
  } else {
    pass<<<1, 32>>>(out);
  }
  cudaDeviceSynchronize();
  return status;
}
