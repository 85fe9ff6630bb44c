// SPDX-License-Identifier: Apache-2.0
// Which code is the user's, by the files that debug information names: neither this library's nor the system's.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "symbols/frame.hpp"

namespace warpfiber::symbols {

/// For one thread at a time. Each folder is looked at once.
class UserCode {
 public:
  /// Whether `file`, named by a compiler that was started in `folder`, is the user's; `module` is the file that its
  /// code was loaded from, where that is known.
  bool has(const std::string& file, const std::string& folder, std::string_view module = {});

 private:
  bool is_own_header(const std::string& file, const std::string& started_in);
  bool is_ours(const std::string& prefix);

  std::map<std::string, bool> ours_;  // by folder
};

/// The file as this process finds it: where there is none by that name, the one that a compiler meant that was started
/// in `folder`.
std::string file_from_here(const std::string& file, const std::string& folder);

/// Whether the file is of a library of CUDA code, Thrust's, CUB's or libcu++'s, whose kernels are checked like the
/// user's.
bool is_cuda_library(std::string_view file);

/// The innermost of these frames that is the user's, as a place, one of a CUDA library only if there is no other;
/// unknown if there is none.
record::Place user_place(std::span<const Frame> frames);

}  // namespace warpfiber::symbols
