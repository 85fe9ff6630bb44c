// SPDX-License-Identifier: Apache-2.0
//
// The messages of g++ and clang++ line by line: where one belongs, and what it says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::tools::nvcc {

/// With their line breaks.
std::vector<std::string> split_lines(const std::string& text);

/// Compilers colour words by sequences that end in `m` and `K`.
std::string without_colours(std::string_view text);

/// `a.cu:12` of a line `a.cu:12:3: error: ...`, with the message that stands there. Without one the line is 0.
struct MessagePlace {
  std::string file;
  unsigned line = 0;
  std::string_view rest;  // of the line that it was read from
  bool is_error() const { return rest.starts_with(" error: ") || rest.starts_with(" fatal error: "); }
  bool is_message() const { return is_error() || rest.starts_with(" warning: "); }
  bool is_note() const { return rest.starts_with(" note: "); }
};

/// `plain` has no colours.
MessagePlace place_of(const std::string& plain);

/// "In function 'k'", in such quotes as `messages` has.
std::string in_function(const std::string& name, const std::string& messages);

/// What g++'s optimiser says of a kernel without the functions of ours that run its threads: contexts name the kernel,
/// and what it says of several of them is said once.
std::string without_inlining(const std::string& messages);

}  // namespace warpfiber::tools::nvcc
