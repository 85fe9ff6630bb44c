// SPDX-License-Identifier: Apache-2.0
// Whether memory changes while threads run, in a way that is more than counting. Looks at it again and again; finds no
// change that was undone in between. Belongs to whoever holds the lock of Liveness.
// A word that was seen to change before and takes a value that it had before, or moves on in the same direction, counts
// or alternates: threads that wait may do that for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace warpfiber::engine {

struct MemoryRange {
  const char* begin = nullptr;
  std::size_t bytes = 0;
  bool comes_and_goes = false;  // allocated by threads of kernels: that there is more of it is no change
  bool is_shared = false;       // of a block, which may keep barriers there
};

enum class MemoryChange {
  none,
  counting,  // only words that count or alternate
  fresh,
};

class MemoryChanges {
 public:
  /// Compares the ranges with what they held at the last look; the first look finds everything fresh. Stops at the
  /// first fresh change. Memory that was given back meanwhile is a fresh change, too. A few words of
  /// each block's shared memory may change in any way, which barriers do.
  MemoryChange look(std::span<const MemoryRange> ranges);

 private:
  static constexpr std::size_t kChunkBytes = 64 * 1024;
  static constexpr std::size_t kMostCopies = 256;
  static constexpr std::size_t kMostWords = 4096;
  static constexpr std::size_t kWordsOfBarriers = 8;  // of a block

  /// A word that has changed.
  struct Word {
    static constexpr unsigned kSeen = 4;
    std::uint32_t seen[kSeen] = {};  // values, the latest at `latest`
    unsigned latest = 0;
    bool rises = false;
    bool is_wild = false;  // it has neither counted nor alternated

    bool is_counting(std::uint32_t value) const;
    void note(std::uint32_t value);
  };

  struct Chunk {
    std::uint64_t hash = 0;
    std::unique_ptr<char[]> copy{};  // of chunks that have changed lately
  };

  MemoryChange look_at(const MemoryRange& chunk_range);
  MemoryChange compare(Chunk& chunk, const MemoryRange& range);
  void forget_copies();

  std::unordered_map<const char*, Chunk> chunks_;
  std::unordered_map<const char*, Word> words_;
  std::vector<MemoryRange> busy_;  // chunks that have copies
  std::size_t wild_ = 0;           // words of shared memory
  std::size_t most_wild_ = 0;
};

}  // namespace warpfiber::engine
