// SPDX-License-Identifier: Apache-2.0
// What kernels have done to an area of memory, as the shadow cells have kept it. Kernels may run meanwhile: what they
// do during the question may be left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "check/running/launches.hpp"
#include "process/box.hpp"
#include "record/finding.hpp"

namespace warpfiber::launches {

/// A box of memory; pitches are in bytes and count only where there are several rows and slices.
struct Area {
  const char* at = nullptr;
  process::Box box{};
  std::size_t pitch = 0;
  std::size_t slice = 0;
};

/// `bytes` in a row.
Area area_of(const void* at, std::size_t bytes);

/// An access of a kernel's thread to bytes of one word.
struct Touch {
  unsigned launch = 0;       // as cells name it
  std::uint64_t thread = 0;  // likewise
  unsigned site = 0;
  bool write = false;
  const char* at = nullptr;
  unsigned bytes = 0;
};

/// Whether the checker keeps what kernels do there.
bool is_shadowed(const void* address);

/// Calls `visit` for every access to the area by one of the launches that the cells still hold.
void for_each_touch(const Area& area, const check::LaunchSet& launches, const std::function<void(const Touch&)>& visit);

/// Who made an access, in which launch.
record::LaunchFacts launch_of(const Touch& touch);
record::Party party_of(const Touch& touch);

}  // namespace warpfiber::launches
