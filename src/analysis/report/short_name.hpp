// SPDX-License-Identifier: Apache-2.0
//
// The name of a function as its author wrote it, from the name that a demangler prints. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpfiber::report {

/// "saxpy<float>" for "void (anonymous namespace)::saxpy<float>(int, float*)": without return type, parameters and
/// unnamed namespaces. A lambda is "run::{lambda}".
std::string short_name(std::string_view function);

/// The name of a function or type, with "<…>" for the arguments of its templates where it takes more than `width`
/// columns with them, and cut where it takes more without.
std::string abbreviated(std::string_view name, std::size_t width);

}  // namespace warpfiber::report
