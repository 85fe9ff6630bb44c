// SPDX-License-Identifier: Apache-2.0
// Recognises empty kernels, such as those that measure the overhead of launches: the compiler has left nothing of them
// but a return. What their blocks would do shows there, so they need not be run one by one.
#pragma once

#include <cstring>

namespace warpfiber::engine {

/// Whether the function whose code this is does nothing but return (Intel SDM, volume 2: RET, ENDBR64; a REP before it
/// is for old processors).
inline bool does_nothing(const void* code) {
#if defined(__x86_64__) && defined(__linux__)
  constexpr unsigned char kEndBranch[] = {0xf3, 0x0f, 0x1e, 0xfa};
  constexpr unsigned char kRepeat = 0xf3;
  constexpr unsigned char kReturn = 0xc3;
  const auto* at = static_cast<const unsigned char*>(code);
  if (at == nullptr) return false;
  if (*at == kRepeat && at[1] == kEndBranch[1] && std::memcmp(at, kEndBranch, sizeof kEndBranch) == 0)
    at += sizeof kEndBranch;
  if (*at == kRepeat) ++at;
  return *at == kReturn;
#else
  return code == nullptr && false;
#endif
}

}  // namespace warpfiber::engine
