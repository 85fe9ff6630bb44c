// SPDX-License-Identifier: Apache-2.0
// Memory of the program's own that devices use for a while (cudaHostRegister): each piece of it gets words of the
// shadow for as long. The host adds and takes out pieces, while threads of kernels look others up: a reader that meets
// a change reads again. The pieces are few.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/locks/annotated_mutex.hpp"

namespace warpfiber::memory {

class ShadowWindows {
 public:
  static constexpr unsigned kMost = 128;
  static constexpr std::size_t kNowhere = ~std::size_t{0};

  constexpr ShadowWindows() = default;
  ShadowWindows(const ShadowWindows&) = delete;
  ShadowWindows& operator=(const ShadowWindows&) = delete;

  /// There are so many words to be given out.
  void set_words(std::size_t words) {
    const base::Lock lock(changing_);
    words_ = words;
  }

  /// The first word of a window for the piece; kNowhere where there is no room. One for each piece.
  std::size_t open(const void* base, std::size_t bytes);
  /// The piece that begins there is the host's alone again.
  void close(const void* base);

  /// The word of an address; kNowhere where it is in no piece.
  std::size_t word_of(const void* address) const;
  /// Where a word of a window begins; null for one that was not given out.
  const char* address_of(std::size_t word) const;

 private:
  struct Piece {
    std::atomic<std::uintptr_t> begin{0};  // of a word
    std::atomic<std::uintptr_t> end{0};    // of the piece; 0: there is none
    std::atomic<std::size_t> first{0};     // of its words
    std::size_t words() const { return (end - begin + 3) / 4; }
  };

  bool is_free(std::size_t first, std::size_t words) const WARPFIBER_REQUIRES(changing_);
  template <class Look>
  auto look(Look&& at_pieces) const;

  base::Mutex changing_;
  std::atomic<std::uint64_t> version_{0};  // odd during a change
  std::atomic<unsigned> used_{0};          // pieces from here on are none
  std::size_t words_ WARPFIBER_GUARDED_BY(changing_) = 0;
  Piece pieces_[kMost];
};

}  // namespace warpfiber::memory
