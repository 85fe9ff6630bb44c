// SPDX-License-Identifier: Apache-2.0
// Unwritten bytes that a thread loads where a structure may have its padding: compilers copy a structure piece by
// piece, and clang++ the pieces between its members as well. They are a use unless the thread stores them as they are,
// soon and where the copy would have its padding; the stored bytes are unwritten then, too. Hooks come before their
// access, so what was stored is known at the thread's next hook. Belongs to one worker.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/cases/cases.hpp"

namespace warpfiber::check {

class CaseLog;

class PaddingLoads {
 public:
  explicit PaddingLoads(CaseLog& log) : log_(log) {}

  bool none() const { return loads_.empty(); }
  /// A thread loads bytes of which none has been written. False where they are no padding: then it is a use at once.
  bool add(const Side& side, const char* address, std::size_t bytes);
  /// A thread comes to an access.
  void come(std::uint64_t thread, const char* address, std::size_t bytes, bool write);
  /// The threads `first` to `last` have ended.
  void finish(std::uint64_t first, std::uint64_t last);

 private:
  static constexpr std::size_t kMostBytes = 15;

  struct Load {
    Side side{};
    const char* address = nullptr;
    std::size_t bytes = 0;
    std::array<char, kMostBytes> value{};
    unsigned hooks_left = 0;
    const char* stored_at = nullptr;  // by the thread's last hook

    bool is_stored() const;
  };

  bool is_over(Load& load, const char* address, std::size_t bytes, bool write) const;
  void end(const Load& load) const;

  CaseLog& log_;
  std::vector<Load> loads_;
};

}  // namespace warpfiber::check
