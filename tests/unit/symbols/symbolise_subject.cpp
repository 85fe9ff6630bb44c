// SPDX-License-Identifier: Apache-2.0
//
// A function inlined into another and a lambda, compiled with debug information.
#include "unit/symbols/symbolise_subject.hpp"

namespace warpfiber::test {
namespace {

[[gnu::always_inline]] inline void fill(Probe& probe) {
  probe.inner_line = __LINE__ + 1;
  probe.address = caller_address();
}

template <class Body>
[[gnu::noinline]] Probe run(Body body) {
  Probe probe;
  body(probe);
  return probe;
}

}  // namespace

Probe probe_lambda() {
  return run([](Probe & probe) __attribute__((noinline)) {
    probe.inner_line = __LINE__ + 1;
    probe.address = caller_address();
  });
}

Probe probe_inlined() {
  Probe probe;
  probe.outer_line = __LINE__ + 1;
  fill(probe);
  return probe;
}

}  // namespace warpfiber::test
