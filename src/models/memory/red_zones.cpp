// SPDX-License-Identifier: Apache-2.0
//
// Keeps the end of each zone in a map by its beginning, under a mutex. They are asked for only when an access lies
// outside of all objects.
#include "memory/red_zones.hpp"

#include <iterator>
#include <map>

#include "base/locks/annotated_mutex.hpp"
#include "memory/memory_state.hpp"

namespace warpfiber::memory {
struct RedZones {
  base::Mutex mutex;
  std::map<const char*, const char*> ends WARPFIBER_GUARDED_BY(mutex);  // by where each begins
};

namespace {

RedZones& all_zones() {
  return MemoryState::of_process().red_zones.get();
}

}  // namespace

void add_red_zone(const void* begin, std::size_t bytes, const void* end) {
  constexpr std::size_t kMostBehind = 256;  // what registers the variables of one declaration, and alignment
  const char* const from = static_cast<const char*>(begin);
  const char* const to = static_cast<const char*>(end);
  const bool in_order = to >= from + bytes && to <= from + bytes + kMostBehind;
  RedZones& all = all_zones();
  const base::Lock lock(all.mutex);
  all.ends[from] = in_order ? to : from + bytes;
}

bool in_red_zone(const void* address) {
  const auto* at = static_cast<const char*>(address);
  RedZones& all = all_zones();
  const base::Lock lock(all.mutex);
  const auto after = all.ends.upper_bound(at);
  if (after == all.ends.begin()) return false;
  return at < std::prev(after)->second;
}

}  // namespace warpfiber::memory
