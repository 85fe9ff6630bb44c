// SPDX-License-Identifier: Apache-2.0
// `warpfiber fidelity [app.cu...]`: how faithfully the features of CUDA are modelled, all of them or those that a
// program's files and the user's files that they include mention.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/options/output.hpp"

namespace warpfiber::tools::fidelity {

/// The table, or with arguments, which are nvcc's, the rows for the features that the files use. Exit code 2 if a file
/// cannot be read or is no text, or an option is not nvcc's; else 0.
Reply fidelity(const std::vector<std::string>& arguments);

// How faithfully each feature of CUDA is modelled, as data: what it is called in a program, how near the results are to
// a device's, and what the claim rests on.

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
      signs;  // words of programs that use it (words.cpp), blanks between; `~` is a blank in one; x* begins so
};

/// Every feature that is reported, in the order of the table.
std::span<const Feature> features();

/// "exact", "approximate", "not modelled".
std::string_view name_of(Fidelity fidelity);

/// The features whose signs are among the words of a program's files.
std::vector<const Feature*> used_in(const std::vector<std::string>& files);

// The words of a program by which features are known. Nothing is preprocessed or compiled: a program whose headers are
// not modelled is to be reported as well. Comments and strings are no words; what #if leaves out is.

/// How a word is written here:
///   name, a::name    a name, with namespaces that stand before it (`cg` is cooperative_groups, as other aliases are
///                    what they stand for), each of its beginnings and each of its ends
///   .name            a member
///   warpfiber::.name a designated member of an aggregate, in programs that name Warpfiber
///   @name            a name in code of the device; @name( a call there, of sinf as sin too; @<<< a launch there
///   <a/b.h>          a header that is included, with quotes too
///   half type        half where it is a type and no variable
///   device variable  a variable of the device, where a declaration begins with __device__
///   float atomic     an addition by atomics to what is or may be a floating-point number
/// What begins with std:: has no other words in code of the host.
using ProgramWords = std::set<std::string, std::less<>>;

/// The words of a program's files, which know each other's macros and declarations.
ProgramWords words_of(const std::vector<std::string>& files);

}  // namespace warpfiber::tools::fidelity
