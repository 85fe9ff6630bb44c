// SPDX-License-Identifier: Apache-2.0
//
// What `nvidia-smi` answers: the devices that programs see, by the forms that scripts read. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "tools/toolkit/doors.hpp"

namespace warpfiber::tools::toolkit {

/// -L lists the devices, --query-gpu=FIELD,... --format=csv[,noheader][,nounits] prints fields of each, and anything
/// else is answered by a table. A field that no model has is [N/A], as NVIDIA's says it.
Reply nvidia_smi(const std::vector<std::string>& words, const Machine& machine);

}  // namespace warpfiber::tools::toolkit
