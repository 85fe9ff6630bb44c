// SPDX-License-Identifier: Apache-2.0
// The words that threads used lately to hand over to each other, flags and locks, so that the fix of a race can name
// the word, and the side that has no fence. Only words are chosen by it, no verdict: what has fallen out of it is not
// named. Belongs to one worker; a use takes a bounded number of steps and allocates nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "check/cells/cell.hpp"
#include "check/order/sync_words.hpp"

namespace warpfiber::check {

/// One access to such a word.
struct WordUse {
  std::uint64_t thread = 0;
  std::uint32_t time = 0;  // the thread's, before the access
  unsigned site = 0;
};

/// What the thread of one access has handed over to that of another.
struct HandOverFound {
  const void* word = nullptr;
  unsigned set_site = 0;
  unsigned seen_site = 0;
  bool is_lock = false;
  bool fenced_before_set = false;
  bool fenced_after_seen = false;
  bool narrow_before_set = false;  // a fence is there, and orders only the block
  bool narrow_after_seen = false;
  std::uint64_t set_by = 0;            // the thread
  std::optional<std::uint64_t> far{};  // a thread of its block for which it sets the word: of another warp if any is
  bool is_guess = false;               // what other blocks, or other threads of the block, have done with the word
};

class HandOvers {
 public:
  /// `bits`: of a thread's rank in the number of a thread.
  explicit HandOvers(unsigned bits) : thread_bits_(bits) {}

  /// On the path of each atomic. A word's first use is only kept, until there is another one: bins of a histogram take
  /// turns in one place, and none of them hands over.
  void use(const void* address, const AtomicUse& use, const WordUse& by) {
    Word& word = words_[place_of(address)];
    ++number_;
    if (use.use_follows && word.hands_over && word.address != address) {
      kept_out_ = {address, {use, by, number_}};
      return;
    }
    if (word.address == address || has_fences_) return use_again(word, address, use, by);
    word.address = address;
    word.first = {use, by, number_};
    word.has_only_first = true;
    word.hands_over = false;
  }
  /// The thread uses what its last atomic with `use_follows` has found there: such a word is not evicted by
  /// atomics whose result is unused, such as those on the bins of a histogram.
  void uses_found(const void* address, std::uint64_t thread);
  void fence(Scope scope, std::uint64_t thread, std::uint32_t time);

  /// What is handed over: a word, and where it is written, as are others that are like it.
  struct Data {
    const void* address = nullptr;
    unsigned site = 0;
  };

  /// The word that the block of `to` has read last of those that the block of `from` has written since `time`; between
  /// threads of one block, that the threads themselves have. Where there is none, one that others like them have:
  /// blocks whose writes are not kept any more, other threads of the block. None where both sides have their fence, and
  /// the thread of the access has written the word itself.
  std::optional<HandOverFound> find(std::uint64_t from, std::uint32_t time, std::uint64_t to, const Data& but) const;

  struct Fence {
    std::uint64_t thread = 0;
    std::uint64_t number = 0;
    std::uint32_t time = 0;
    Scope scope{};
  };
  struct OneUse {
    AtomicUse use{};
    WordUse by{};
    std::uint64_t number = 0;
  };
  /// The use of a word that has been used once, as far as it is still known.
  const OneUse* only_use(const void* address) const {
    const Word& word = words_[place_of(address)];
    return word.address == address && word.has_only_first ? &word.first : nullptr;
  }
  /// The last one of the thread; null if it has fallen out.
  const Fence* fence_of(std::uint64_t thread) const;
  /// Of the last use or fence.
  std::uint64_t number() const { return number_; }

 private:
  struct Write {
    WordUse by{};
    std::uint32_t released = 0;        // what the thread did up to this time, the device may know
    std::uint32_t released_block = 0;  // the block may
    bool ends_lock = false;
  };
  static constexpr std::size_t kWrites = 8;
  struct alignas(64) Word {
    const void* address = nullptr;
    OneUse first{};
    bool has_only_first = false;  // what follows is of the word that was there before
    std::array<Write, kWrites> writes{};
    std::size_t written = 0;
    WordUse read{};
    std::uint64_t read_number = 0;  // 0: not read
    std::size_t seen = 0;           // writes there were then
    bool acquired = false;
    std::uint64_t taken_by = 0;  // the thread that changed it last by reading it
    bool is_taken = false;
    bool hands_over = false;  // an atomic's thread used what it found

    /// Leaves the writes of the word that was there before: there are none yet.
    void begin(const void* at) {
      address = at;
      has_only_first = false;
      written = seen = 0;
      read_number = 0;
      acquired = is_taken = hands_over = false;
    }
  };
  static constexpr std::size_t kWords = 64;
  static constexpr std::size_t kFences = 256;

  /// Neighbouring words have places of their own, and so have words at equal places of neighbouring lines.
  static std::size_t place_of(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return (at / kWordBytes ^ at / (kWordBytes * kWords)) % kWords;
  }
  void use_again(Word& word, const void* address, const AtomicUse& use, const WordUse& by);
  static void note(Word& word, const OneUse& now, const Fence* fence);
  struct Asked {
    std::uint64_t from = 0;
    std::uint32_t time = 0;
    std::uint64_t to = 0;
    bool same_block = false;
    bool guess = false;
  };
  bool is_of_block(std::uint64_t one, std::uint64_t other) const {
    return one >> thread_bits_ == other >> thread_bits_;
  }
  bool is_pair(std::uint64_t one, std::uint64_t other, const Asked& asked) const {
    return asked.same_block && !asked.guess ? one == other : is_of_block(one, other);
  }
  const Write* seen_write(const Word& word, const Asked& asked) const;
  static const Write* like_lost_write(const Word& word);
  std::optional<HandOverFound> find(const Asked& asked, const Data& but) const;
  HandOverFound found(const Word& word, const Write& write, const Asked& asked) const;

  unsigned thread_bits_;
  std::uint64_t number_ = 0;  // of uses and fences
  struct KeptOut {
    const void* address = nullptr;
    OneUse use{};
  };
  KeptOut kept_out_{};  // the last one
  bool has_fences_ = false;
  std::array<Word, kWords> words_{};
  std::array<Fence, kFences> fences_{};
};

}  // namespace warpfiber::check
