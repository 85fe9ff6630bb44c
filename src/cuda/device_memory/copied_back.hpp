// SPDX-License-Identifier: Apache-2.0
// What the program copies back from a device, kept in the file that WARPFIBER_COPIES names, for `warpfiber crosscheck`
// (docs/crosscheck.md; the format is in warpfiber/crosscheck/copy_log.hpp). Of managed memory, which nobody copies,
// what it holds when it is freed. Nothing happens where the variable is not set. Any thread may call, none inside a
// kernel.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_memory/copies.hpp"
#include "record/launch_order.hpp"

namespace warpfiber::device_memory {

/// Numbers a copy, in the call by which the program asks for it: copies count in the order of those calls, whenever
/// their streams make them. 0: copies are not kept.
std::uint64_t number_copy();

/// What the elements are of what this OS thread copies or allocates in the call that it is in; "-": not known.
const char* elements_now();

/// The copy with this number is done. `order` is where it was asked for, `type` that of an element. Where
/// WARPFIBER_COPY_WRITER asks for a byte of it and the program is checked, who wrote that byte follows. The same for
/// managed memory.
void keep_copy(std::uint64_t number, const process::CopyPlace& to, const process::CopyPlace& from,
               const process::Box& box, const record::LaunchOrder& order, const char* type);

/// `bytes` of managed memory, of elements_now(), are new, are about to be freed, or go with all that is left.
void keep_managed(void* memory, std::size_t bytes);
void managed_goes(void* memory);
void all_managed_goes();

}  // namespace warpfiber::device_memory
