// SPDX-License-Identifier: Apache-2.0
//
// What a kernel does last, read from words alone. Pure.
#pragma once

#include "translate/text/walk.hpp"

namespace warpfiber::translate {

/// Whether the last statement of the body `body`, braces included, does something and calls no function but those that
/// compute numbers and atomics: then no function that the body calls is the end of the kernel, and a thread that
/// returns from one early has more to do.
bool ends_without_call(const Tokens& tokens, TokenRange body);

}  // namespace warpfiber::translate
