// SPDX-License-Identifier: Apache-2.0
// An access to memory and a fence as events of a launch (observer.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpfiber::record {

/// Which threads an atomic or a fence orders. Source: PTX ISA, "Scope".
enum class AccessScope : unsigned { block, cluster, device, system };

enum class AccessKind : std::uint8_t { plain, is_volatile, atomic };

/// What the running thread is about to read, to write or to update.
struct MemoryAccess {
  const void* address = nullptr;
  std::size_t bytes = 0;
  bool reads = false;  // an atomic update reads and writes
  bool writes = false;
  AccessKind kind = AccessKind::plain;
  AccessScope scope = AccessScope::device;  // of an atomic
  const void* instruction = nullptr;        // the one after the access's hook; null: not known
};

}  // namespace warpfiber::record
