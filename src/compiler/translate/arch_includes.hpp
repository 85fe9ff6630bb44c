// SPDX-License-Identifier: Apache-2.0
//
// Files that a source includes only under `#ifdef __CUDA_ARCH__`: the preprocessed text of the host has nothing of
// them, but functions of the device need all that they declare.
#pragma once

#include <string>

#include "translate/text/tokens.hpp"

namespace warpfiber::translate {

/// The host's text with every file that the device's text alone has, in the place where that includes it. A file that
/// the host includes further down moves up with it: what stands between may need it, and twice it would be declared
/// twice. Empty where there is none.
std::string with_includes_of_device(const Tokens& host, const Tokens& device);

}  // namespace warpfiber::translate
