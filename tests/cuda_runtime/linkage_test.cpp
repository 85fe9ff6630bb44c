// SPDX-License-Identifier: Apache-2.0
// Every function of CUDA's runtime can be linked, modelled or not.
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <set>

#include "support/catch.hpp"

namespace {

using Function = void (*)();

// A table of all, so that the linker has to find each of them.
const Function kFunctions[] = {
#define FUNCTION(name) reinterpret_cast<Function>(&name),
#include "runtime_functions.inc"
#undef FUNCTION
};

}  // namespace

TEST_CASE("every function that CUDA's header declares is there and has an address of its own") {
  const std::set<Function> distinct(std::begin(kFunctions), std::end(kFunctions));
  CHECK(distinct.size() == 312);
  CHECK(distinct.count(nullptr) == 0);
}
