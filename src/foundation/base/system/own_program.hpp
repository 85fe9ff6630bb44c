// SPDX-License-Identifier: Apache-2.0
// The program that this process runs, also where /proc is not mounted. Any thread may call.
#pragma once

#include <string>

namespace warpfiber::base {

/// The program's file, absolute; empty where the system does not say.
std::string own_program();

}  // namespace warpfiber::base
