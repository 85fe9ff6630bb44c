// SPDX-License-Identifier: Apache-2.0
// Atomics of kernels that run as loops over the threads of a block (include/warpfiber/detail/regions.hpp), as far as
// hosts have no instruction for them. None is reported to the engine: no other thread of the block can run meanwhile.
#include <warpfiber/bfloat16_memory.hpp>
#include <warpfiber/detail/regions.hpp>
#include <warpfiber/half_memory.hpp>
#include <warpfiber/intrinsics/atomics.hpp>

namespace {

using namespace warpfiber::detail;

/// As atomic_update() in atomics.hpp.
template <class Next, class T>
T update(T* address, T value) {
  T old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  for (;;) {
    const T now = Next::next(old, value, address);
    if (same_bits(old, now) || replace_if(address, old, now, __ATOMIC_RELAXED)) return old;
  }
}

template <class T>
unsigned short add_bits(unsigned short* address, unsigned short value) {
  return __builtin_bit_cast(unsigned short,
                            update<NarrowSum>(reinterpret_cast<T*>(address), __builtin_bit_cast(T, value)));
}

}  // namespace

extern "C" {

float warpfiber_regions_plain_add_float(float* address, float value) {
  return update<Sum>(address, value);
}

unsigned warpfiber_regions_plain_increment(unsigned* address, unsigned last) {
  return update<IncrementOrZero>(address, last);
}

unsigned warpfiber_regions_plain_decrement(unsigned* address, unsigned last) {
  return update<DecrementOrLast>(address, last);
}

unsigned short warpfiber_regions_plain_add_half(unsigned short* address, unsigned short value) {
  return add_bits<__half>(address, value);
}

unsigned short warpfiber_regions_plain_add_bfloat16(unsigned short* address, unsigned short value) {
  return add_bits<__nv_bfloat16>(address, value);
}

}  // extern "C"
