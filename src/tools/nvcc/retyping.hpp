// SPDX-License-Identifier: Apache-2.0
//
// Whether a program may read memory as another type than it was written as. C++ forbids it, NVIDIA's compiler of device
// code does not mind, and kernels do it; where none does, the host compiler may know that a store of a float changes
// no index.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::tools::nvcc {

/// True if the user's own text in `preprocessed` (line markers kept) has a cast that makes a pointer of another type,
/// one that could be (to a type with another name for a pointer), or inline PTX. Casts to pointers to void and to
/// characters, and of what malloc and its like return, are none. Headers of the system without functions of the device
/// and those below `trusted` folders do not count.
bool may_retype_memory(std::string_view preprocessed, const std::vector<std::string>& trusted);

}  // namespace warpfiber::tools::nvcc
