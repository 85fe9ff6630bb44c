// SPDX-License-Identifier: Apache-2.0
// One program out of two: what the preprocessor makes of a source without __CUDA_ARCH__ and with it. nvcc compiles
// both, one for the host and one for the device; here one compilation has to do for both.
#pragma once

#include <string>
#include <string_view>

#include "translate/text/tokens.hpp"

namespace warpfiber::translate {

/// The host's text, in which functions and variables of the device are as in the device's text, and functions of both
/// whose bodies differ have both bodies and ask where they run. Declarations of the device, types, constants and
/// included files that the device's text alone has are put where they stand; types and constants that differ are the
/// device's, since kernels are made of them; functions of the device that it does not have go. Everything else is the
/// host's. Line markers give every token its line.
std::string merge_for_arch(std::string_view host, std::string_view device);

/// Files that a source includes only under `#ifdef __CUDA_ARCH__`: the preprocessed text of the host has nothing of
/// them, but functions of the device need all that they declare. The host's text with every file that the device's text
/// alone has, in the place where that includes it. A file that the host includes further down moves up with it: what
/// stands between may need it, and twice it would be declared twice. Empty where there is none.
std::string with_includes_of_device(const Tokens& host, const Tokens& device);

}  // namespace warpfiber::translate
