// SPDX-License-Identifier: Apache-2.0
// The 128-bit atomics of sm_90 and later. They live here because x86-64 compilers use its 16-byte compare-and-swap only
// where an option asks for it, and a user's program need not be built with that option.
// Addresses are multiples of 16, as on the device: others fault.
#include <warpfiber/intrinsics/atomics.hpp>

#include "base/targets.hpp"

namespace warpfiber::detail {

namespace {

__extension__ typedef unsigned __int128 __attribute__((__may_alias__)) Wide;

}  // namespace

WARPFIBER_TARGET_CX16 WideBits compare_exchange_wide(void* address, WideBits expected, WideBits value) {
  const Wide old = __sync_val_compare_and_swap(static_cast<Wide*>(address), __builtin_bit_cast(Wide, expected),
                                               __builtin_bit_cast(Wide, value));
  return __builtin_bit_cast(WideBits, old);
}

WARPFIBER_TARGET_CX16 WideBits exchange_wide(void* address, WideBits value) {
  WideBits expected = value;
  for (;;) {
    const WideBits old = compare_exchange_wide(address, expected, value);
    if (same_bits(old, expected)) return old;
    expected = old;
  }
}

}  // namespace warpfiber::detail
