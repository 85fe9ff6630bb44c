// SPDX-License-Identifier: Apache-2.0
// What compiled code does with a value that it loads: whether it only moves it, from the load to registers, to the
// stack and to memory, or computes with it, compares it or makes an address of it. All paths from the load to the end
// of its function are followed. What is not known of an instruction counts as a use. Who may call: the checker.
#pragma once

#include <cstdint>
#include <functional>

namespace warpfiber::instrument::x86 {

/// Of a function that code calls: it reads no argument but its first one, an address, and changes nothing.
using IsHook = std::function<bool(const std::uint8_t* function)>;

/// Whether the code from `code` on, where a hook of a load returns to, only moves what the first load there brings.
bool only_moves(const std::uint8_t* code, const IsHook& is_hook);

/// The function that the call calls which returns to `code`; null where it is not known.
const std::uint8_t* called_before(const std::uint8_t* code);

}  // namespace warpfiber::instrument::x86
