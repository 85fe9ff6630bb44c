// SPDX-License-Identifier: Apache-2.0
//
// Random kernels as a CUDA program that runs each and prints a line of its results.
#pragma once

#include <cstdint>
#include <string>

namespace warpfiber::tools::fuzz {

/// A .cu file with the kernels of `count` seeds from `seed` on, each "kernel_SEED". The program runs them one after the
/// other, from the one whose index is its first argument, and prints a line that begins with the name, and then a blank
/// or, where the launch failed, a colon. `mistakes`: threads may wait for each other for ever.
std::string kernel_program(std::uint64_t seed, std::uint64_t count, bool mistakes);

}  // namespace warpfiber::tools::fuzz
