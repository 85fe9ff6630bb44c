// SPDX-License-Identifier: Apache-2.0
// No such update is known for processors without a folder of their own: what is declared here is never called.
#pragma once

namespace warpfiber::detail::arch {

inline constexpr bool kHasUnlockedUpdates = false;

template <class T>
T unlocked_add(T* address, T value);
template <class T, class Bits>
bool unlocked_compare_exchange(T* address, Bits& old, Bits value);

}  // namespace warpfiber::detail::arch
