// SPDX-License-Identifier: Apache-2.0
// `warpfiber crosscheck`: the same program on the simulator and on a GPU, or against a recording of one
// (docs/crosscheck.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/nvcc/toolchain.hpp"
#include "tools/program/program.hpp"

namespace warpfiber::tools::crosscheck {

/// How the command ends.
enum Status : int {
  kEqual = 0,
  kDifferent = 1,
  kFailed = 2,       // wrong usage, a build that failed, a recording that cannot be read
  kUnavailable = 3,  // no nvcc or no GPU: nothing was compared
};

/// `warpfiber crosscheck [options] [<nvcc's arguments> [-- <arguments of the program>]]`.
int crosscheck(const std::vector<std::string>& arguments);

/// `warpfiber-dev record --to DIR [options] [<nvcc's arguments> [-- <arguments of the program>]]`.
int record(const std::vector<std::string>& arguments);

// The command lines of `warpfiber crosscheck` and `warpfiber-dev record` as data: both sides build the program.

/// How far apart two floats may be that count as equal, in units in the last place.
constexpr std::uint64_t kDefaultUlp = 4;

struct CrosscheckOptions : program::ProgramOptions {
  std::string command = "warpfiber crosscheck";  // as messages name it
  std::string record;                            // the folder that takes a recording; empty: none
  std::string replay;                            // the folder of recordings that stand for a GPU; empty: there is one
  std::string build_only;  // the folder that takes the program for a GPU, which is not run; empty: it is
  std::string compiler;    // nvcc; empty: the one that is found
  std::uint64_t ulp = kDefaultUlp;
  std::uint64_t keep = 0;  // bytes of a buffer that a recording stores; 0: all, up to what is stored at most
  bool any_order = false;  // buffers may hold the same elements in another order
  std::string as{};        // the type of buffers whose own is not known, as compare_elements takes it; empty: none

  /// Without a program: the arguments are kernels of the gallery.
  bool is_gallery() const { return !names_files(); }
};

/// Reads the arguments of `warpfiber crosscheck`.
program::ParsedOptions<CrosscheckOptions> parse(const std::vector<std::string>& arguments);
/// Those of `warpfiber-dev record`.
program::ParsedOptions<CrosscheckOptions> parse_recording(const std::vector<std::string>& arguments);

/// Prints what is wrong, with the name of the command in front. Returns `status`, for the process.
int complain(const CrosscheckOptions& options, int status, const std::string& text);

/// `warpfiber crosscheck` without a program: every kernel of the gallery, in a table. Compares with a GPU where there
/// is one and the gallery is built for it, else with recordings: those that --replay names, or those that Warpfiber
/// comes with. The status of the command.
int crosscheck_gallery(const CrosscheckOptions& options, const nvcc::Toolchain& toolchain, const std::string& scratch);

}  // namespace warpfiber::tools::crosscheck
