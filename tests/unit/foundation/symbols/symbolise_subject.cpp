// SPDX-License-Identifier: Apache-2.0
//
// A function inlined into another and a lambda, compiled with debug information.
#include "unit/foundation/symbols/symbolise_subject.hpp"

#include <array>

namespace warpfiber::test {
namespace {

[[gnu::always_inline]] inline void fill(Probe& probe) {
  probe.inner_line = __LINE__ + 1;
  probe.address = caller_address();
}

[[gnu::noinline]] void keep(const void* memory) {
  asm volatile("" : : "r"(memory) : "memory");
}

template <class Body>
[[gnu::noinline]] Probe run(Body body) {
  Probe probe;
  body(probe);
  return probe;
}

struct Box {
  int id;
  float sides[3];
};

template <class T, int kCount>
struct Shelf {
  int number;
  T boxes[kCount];
  std::array<short, 4> labels;
  unsigned wide : 3;
  unsigned deep : 5;
};

Shelf<Box, 4> shelf{};
char many_zeros[1 << 20];
Shelf<Box, 4>* shelf_pointer = &shelf;

}  // namespace

ProbeVariable probe_variable() {
  return {&shelf, reinterpret_cast<const char*>(&shelf.boxes[1].sides[2]) - reinterpret_cast<const char*>(&shelf)};
}

const void* probe_zeros() {
  return many_zeros;
}

const void* probe_pointer() {
  return &shelf_pointer;
}

Probe probe_lambda() {
  return run([](Probe & probe) __attribute__((noinline)) {
    probe.inner_line = __LINE__ + 1;
    probe.address = caller_address();
  });
}

Probe probe_locals(int limit) {
  typedef Box pool_type[][2];
  pool_type& pool = reinterpret_cast<pool_type&>(shelf);
  Probe probe;
  for (int row = 0; row < limit; ++row) {
    const volatile float weights[4] = {1, 2, 3, static_cast<float>(row)};
    probe.inner_line = __LINE__ + 1;
    probe.address = caller_address();
    pool[0][0].sides[0] = weights[row];
  }
  double later[3] = {0, 1, static_cast<double>(limit)};
  keep(later);
  return probe;
}

Probe probe_inlined() {
  Probe probe;
  probe.outer_line = __LINE__ + 1;
  fill(probe);
  return probe;
}

}  // namespace warpfiber::test
