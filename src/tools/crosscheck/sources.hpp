// SPDX-License-Identifier: Apache-2.0
//
// The user's files of a program as text: what identifies it, and what they show that bytes do not, such as the type of
// a buffer. Reading text is no compiler: what is not found is not known.
#pragma once

#include <string>
#include <vector>

#include "tools/crosscheck/copies.hpp"
#include "tools/nvcc/options.hpp"

namespace warpfiber::tools::crosscheck {

struct Sources {
  struct File {
    std::string path;
    std::string text;
  };
  std::vector<File> files;  // the inputs, and what they include of the user's
  std::string hash{};       // of all their text
  std::string options{};    // macros of the command line
};

/// Reads the inputs of a program and the files that they include, found next to them or in folders given with -I.
Sources read_sources(const nvcc::NvccOptions& program);

/// Whether any file has the text.
bool mention(const Sources& sources, const char* text);

/// The type of the elements of a copy, as compare_elements takes it: what the sizeof in the call and the declarations
/// of the pointers that it names say, if they agree; of managed memory, what all allocations of the program do. Empty
/// if that does not say: in templates of any type, behind a function that takes void*.
std::string type_of(const Copy& copy, const Sources& sources);

}  // namespace warpfiber::tools::crosscheck
