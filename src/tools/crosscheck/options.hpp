// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber crosscheck` as data: its own options, and nvcc's for the program that both sides
// build.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/nvcc/options.hpp"

namespace warpfiber::tools::crosscheck {

/// How far apart two floats may be that count as equal, in units in the last place.
constexpr std::uint64_t kDefaultUlp = 4;

struct CrosscheckOptions {
  std::string record;      // the folder that takes a recording; empty: none
  std::string replay;      // the folder of recordings that stand for a GPU; empty: there is one
  std::string build_only;  // the folder that takes the program for a GPU, which is not run; empty: it is
  std::string compiler;    // nvcc; empty: the one that is found
  std::uint64_t ulp = kDefaultUlp;
  std::uint64_t keep = 0;  // bytes of a buffer that a recording stores; 0: all, up to what is stored at most
  bool any_order = false;  // buffers may hold the same elements in another order
  std::string as{};        // the type of buffers whose own is not known, as compare_elements takes it; empty: none
  bool help = false;
  bool version = false;

  nvcc::NvccOptions program;           // what to build
  std::vector<std::string> words;      // the same as it was written, for nvcc
  std::vector<std::string> arguments;  // the program's, from behind "--"; without a program, kernels of the gallery

  bool is_gallery() const { return program.inputs.empty() && program.linking.empty(); }
};

struct ParsedCrosscheckOptions {
  CrosscheckOptions options;
  std::string error;  // empty: the command line is in order
  bool ok() const { return error.empty(); }
};

/// Reads the arguments of `warpfiber crosscheck`. What is neither its option nor nvcc's is an error that names it.
ParsedCrosscheckOptions parse(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::crosscheck
