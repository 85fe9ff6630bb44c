// SPDX-License-Identifier: Apache-2.0
// The shadow of all device memory, which the cells are in.
#pragma once

#include "memory/shadow.hpp"

namespace warpfiber::check {

/// Covers nothing until a program has hooks.
extern memory::Shadow shadow;

}  // namespace warpfiber::check
