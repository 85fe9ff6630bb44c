// SPDX-License-Identifier: Apache-2.0
//
// The C++ library gives the name in memory of malloc().
#include "base/system/demangled.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace warpfiber::base {

std::optional<std::string> demangled(const char* name) {
  const std::unique_ptr<char, decltype(&std::free)> plain(abi::__cxa_demangle(name, nullptr, nullptr, nullptr),
                                                          &std::free);
  return plain != nullptr ? std::optional<std::string>(plain.get()) : std::nullopt;
}

}  // namespace warpfiber::base
