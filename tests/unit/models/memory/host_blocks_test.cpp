// SPDX-License-Identifier: Apache-2.0
// Notes of the host's allocations, against a list of them.
#include "memory/host/host_blocks.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "base/random.hpp"
#include "support/catch.hpp"

using namespace warpfiber::memory;

namespace {

constexpr std::size_t kUsable = 4096;  // of each block of the tests
alignas(16) char heap_memory[64 * kUsable];

std::size_t usable(void*) {
  return kUsable;
}

}  // namespace

TEST_CASE("a block is found from every address in it, with the size that was asked for") {
  warpfiber::base::Random chance(5);
  std::map<std::size_t, std::size_t> sizes;  // by block
  for (int step = 0; step < 300; ++step) {
    const std::size_t number = chance.below(64);
    char* const base = heap_memory + number * kUsable;
    if (sizes.erase(number) != 0) {
      CHECK(forget_host_block(base));
    } else {
      sizes[number] = chance.below(2) == 0 ? 1 + chance.below(16) : kUsable - kNoteBytes - chance.below(100);
      note_host_block(base, sizes[number], kUsable);
    }
    const std::size_t asked = chance.below(64);
    const std::size_t within = chance.below(kUsable);
    const auto found = host_block_around(heap_memory + asked * kUsable + within, usable);
    const auto known = sizes.find(asked);
    const bool inside = known != sizes.end() && within <= known->second;
    REQUIRE(found.has_value() == inside);
    if (inside) CHECK((found->base == heap_memory + asked * kUsable && found->bytes == known->second));
  }
  for (const auto& [number, bytes] : sizes) forget_host_block(heap_memory + number * kUsable);
}

TEST_CASE("a block without room for the note is none, and one whose note was overwritten is not known") {
  note_host_block(heap_memory, kUsable, kUsable);
  CHECK_FALSE(host_block_around(heap_memory, usable).has_value());
  note_host_block(heap_memory, 100, kUsable);
  REQUIRE(host_block_around(heap_memory + 50, usable).has_value());
  std::memset(heap_memory + kUsable - kNoteBytes, 0xff, kNoteBytes);
  CHECK_FALSE(host_block_around(heap_memory + 50, usable).has_value());
  CHECK(forget_host_block(heap_memory));
  CHECK_FALSE(forget_host_block(heap_memory));
}
