// SPDX-License-Identifier: Apache-2.0
//
// How faithfully each feature of CUDA is modelled, as data: what it is called in a program, how near the results are to
// a device's, and what the claim rests on.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::tools::fidelity {

enum class Fidelity {
  exact,         // what CUDA defines is equal to the last bit
  approximate,   // usable, and different from a device in what the note says
  not_modelled,  // calls return an error, or the program does not build
};

struct Feature {
  std::string_view name;
  Fidelity fidelity;
  std::string_view note;
  std::string_view evidence;  // the case behind it, which uses it: a path in Warpfiber's sources; empty: none
  std::string_view
      signs;  // words of programs that use it (words.hpp), blanks between; `~` is a blank in one; x* begins so
};

/// Every feature that is reported, in the order of the table.
std::span<const Feature> features();

/// "exact", "approximate", "not modelled".
std::string_view name_of(Fidelity fidelity);

/// The features whose signs are among the words of a program's files.
std::vector<const Feature*> used_in(const std::vector<std::string>& files);

}  // namespace warpfiber::tools::fidelity
