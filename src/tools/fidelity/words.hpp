// SPDX-License-Identifier: Apache-2.0
//
// The words of a program by which features are known. Nothing is preprocessed or compiled: a program whose headers are
// not modelled is to be reported as well. Comments and strings are no words; what #if leaves out is.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace warpfiber::tools::fidelity {

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
