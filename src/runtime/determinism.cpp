// SPDX-License-Identifier: Apache-2.0
#include "runtime/determinism.hpp"

#include <warpfiber/determinism.hpp>

#include <utility>

namespace warpfiber {
namespace {

constinit thread_local schedule::Recording* in_progress = nullptr;

schedule::Recording recording_of(void (*run)(void*), void* program) {
  schedule::Recording recording;
  schedule::Recording* outer = std::exchange(in_progress, &recording);
  run(program);
  in_progress = outer;
  return recording;
}

}  // namespace

namespace runtime {

schedule::Recording* recording_in_progress() {
  return in_progress;
}

}  // namespace runtime

namespace detail {

DeterminismCheck check_determinism(void (*run)(void*), void* program) {
  const schedule::Recording first = recording_of(run, program);
  const schedule::Recording second = recording_of(run, program);
  const auto difference = schedule::first_difference(first, second);
  return DeterminismCheck{!difference.has_value(), first.size(), difference.has_value() ? difference->text : ""};
}

}  // namespace detail
}  // namespace warpfiber
