// SPDX-License-Identifier: Apache-2.0
//
// Names of the standard library that a program uses without including their header. Here they are declared, since the
// headers that take the place of NVIDIA's include more than those do; nvcc does not know them. Which names a header
// declares is asked of the host compiler's own headers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/nvcc/rules/rules.hpp"

namespace warpfiber::tools::nvcc {

/// A name of the standard library, where the program uses it first.
struct StandardName {
  std::string name;     // without std::
  bool is_std = false;  // std:: stands before it
  translate::SourcePlace at;
};

/// The names that the user's part of a program uses, each once. Of those without std:: only what <stdio.h>, <assert.h>
/// and <stdint.h> declare; what NVIDIA's headers include for every program is left out.
std::vector<StandardName> standard_names(const Judged& program);

/// The headers that a file's text includes, `<cstdio>` as "cstdio", also where a condition keeps them out.
std::vector<std::string> included_headers(std::string_view text);

/// Whether a header that is known to declare the name is among those included: no more has to be asked.
bool includes_header_of(const StandardName& used, const std::vector<std::string>& headers);

/// The text of a file that includes what NVIDIA's headers and those of `headers` include that are not ours, each if it
/// exists. Empty where one of ours stands for one of NVIDIA's of which it is not known what it includes.
std::string probe_of(const std::vector<std::string>& headers, const std::vector<std::string>& folders);

/// What is wrong: those of the names that do not occur in `text`, which is `probe_of` preprocessed, macros kept.
std::vector<RuleViolation> undeclared(const std::vector<StandardName>& names, std::string_view text);

}  // namespace warpfiber::tools::nvcc
