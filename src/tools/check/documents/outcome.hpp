// SPDX-License-Identifier: Apache-2.0
//
// What one run of a program leaves that another run can be held against: how it ended, what it printed, and what its
// copies brought from the devices (src/cuda/process/exploring/results.hpp writes that).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warpfiber::tools::check {

/// What one copy brought to the host. Places and object are as in the file, or null.
struct CopyResult {
  std::uint64_t number = 0;  // counts the program's operations
  std::string call{};
  nlohmann::ordered_json place{};
  nlohmann::ordered_json object{};
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;  // of all bytes
  std::string kept{};      // the first of them

  bool is_same(const CopyResult& other) const {
    return bytes == other.bytes && hash == other.hash && kept == other.kept;
  }
};

struct RunOutcome {
  int status = 0;        // as nvcc::run() gives it
  int signal = 0;        // what ended it; 0: it returned
  std::string output{};  // standard output, the beginning of it
  std::vector<CopyResult> results{};

  bool is_same(const RunOutcome& other) const;
};

/// The copies of a file, in the order of the program's calls; those that were written in full.
std::vector<CopyResult> parse_results(std::istream& file);
std::vector<CopyResult> read_results(const std::string& path);

}  // namespace warpfiber::tools::check
