// SPDX-License-Identifier: Apache-2.0
// A program that session_test.cpp starts with other environments: runs the kernel named by its argument and prints what
// came of it to standard output.
#include <warpfiber/warpfiber.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

using namespace warpfiber;

namespace {

void print(const LaunchResult& result) {
  std::printf("%s %s\n%s", error_name(result.error()), result.finding(), result.message());
}

/// The order in which threads come first and after a barrier.
void print_order() {
  std::vector<unsigned> order;
  print(launch({.grid = 2, .block = 40, .workers = 1}, [&order] {
    order.push_back(blockIdx.x * 100 + threadIdx.x);
    __syncthreads();
    order.push_back(1000 + blockIdx.x * 100 + threadIdx.x);
  }));
  for (const unsigned event : order) std::printf("%u ", event);
}

void print_active_lanes() {
  unsigned mask = 0;
  print(launch({.block = 32}, [&mask] {
    const unsigned together = __activemask();
    if (threadIdx.x == 31) mask = together;
  }));
  std::printf("%08x", mask);
}

void print_trap() {
  print(launch({.grid = 3, .block = 64}, [] {
    if (threadIdx.x == 9 && blockIdx.x == 1) __trap();
  }));
}

void print_large_frame() {
  print(launch({.block = 32}, [] {
    volatile char scratch[200'000];
    for (unsigned i = 0; i < sizeof scratch; i += 512) scratch[i] = 1;
    __syncthreads();
  }));
}

void print_endless() {
  volatile unsigned value = 1;
  print(launch({}, [&value] {
    for (unsigned i = 0; value != 0; ++i) value = 2 * i + 1;
  }));
}

struct Mode {
  const char* name;
  void (*run)();
};

constexpr Mode kModes[] = {
    {"order", print_order},       {"active", print_active_lanes}, {"trap", print_trap},
    {"frame", print_large_frame}, {"endless", print_endless},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Mode& mode : kModes) {
    if (argc == 2 && std::strcmp(argv[1], mode.name) == 0) mode.run();
  }
}
