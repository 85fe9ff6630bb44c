// SPDX-License-Identifier: Apache-2.0
// Which level of the x86-64 ABI the processor has ("Micro-Architecture Levels" of the psABI): for code that is compiled
// for several of them.
#pragma once

namespace warpfiber::base {

/// 1 to 4; 1 on other processors.
unsigned processor_level();

}  // namespace warpfiber::base
