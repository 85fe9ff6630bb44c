// SPDX-License-Identifier: Apache-2.0
// Pieces of the host's memory get words that are nobody else's, against a list of what is open.
#include "memory/windows/shadow_windows.hpp"

#include <map>
#include <set>
#include <vector>

#include "base/random.hpp"
#include "support/catch.hpp"

using warpfiber::base::Random;
using warpfiber::memory::ShadowWindows;

namespace {

constexpr std::size_t kWords = 4096;
alignas(8) char pieces[1 << 20];

/// Whether each word of the piece is found at its address, and is in no other piece.
bool is_apart(const ShadowWindows& windows, const std::map<char*, std::size_t>& open) {
  std::set<std::size_t> taken;
  for (const auto& [base, bytes] : open) {
    for (std::size_t at = 0; at < bytes; at += 4) {
      const std::size_t word = windows.word_of(base + at);
      if (word >= kWords || !taken.insert(word).second || windows.address_of(word) != base + at) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("open pieces never share a word, and closed ones give theirs back") {
  ShadowWindows windows;
  windows.set_words(kWords);
  Random chance(3);
  std::map<char*, std::size_t> open;
  for (int step = 0; step < 400; ++step) {
    char* const base = pieces + 4096 * chance.below(64);
    if (const auto known = open.find(base); known != open.end()) {
      windows.close(base);
      open.erase(known);
      CHECK(windows.word_of(base) == ShadowWindows::kNowhere);
    } else {
      const std::size_t bytes = 4 * (1 + chance.below(400));
      if (windows.open(base, bytes) != ShadowWindows::kNowhere) open[base] = bytes;
    }
    REQUIRE(is_apart(windows, open));
  }
  for (const auto& [base, bytes] : open) windows.close(base);
  CHECK(windows.open(pieces, 4 * kWords) == 0);
  CHECK(windows.open(pieces + 4 * kWords, 4) == ShadowWindows::kNowhere);
}
