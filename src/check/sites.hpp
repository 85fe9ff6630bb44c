// SPDX-License-Identifier: Apache-2.0
// Instructions that access memory, numbered so that a shadow cell can name them in 16 bits. One register for the
// process, because cells outlive launches. Any thread may call.
#pragma once

#include <warpfiber/detail/site.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpfiber::check {

/// More instructions than the numbers tell apart share this one, which stands for none.
inline constexpr unsigned kUnknownSite = 0;

/// The number of `instruction`.
unsigned number_of_site(const void* instruction);
/// The same for a call that says where it is, from inside a function of the library.
unsigned number_of_site(const Site& call);
/// The instruction that has the number; null for kUnknownSite and for calls.
const void* instruction_of_site(unsigned number);
/// The call that has the number; line 0 where that is an instruction.
Site call_of_site(unsigned number);

/// The numbers that one worker asked for last.
class SiteCache {
 public:
  unsigned number(const void* instruction) {
    Line& line = lines_[reinterpret_cast<std::uintptr_t>(instruction) * kMix >> kShift];
    if (line.instruction != instruction) [[unlikely]] {
      line.instruction = instruction;
      line.number = number_of_site(instruction);
    }
    return line.number;
  }

 private:
  struct Line {
    const void* instruction = nullptr;
    unsigned number = kUnknownSite;
  };
  static constexpr unsigned kBits = 10;
  static constexpr unsigned kShift = 64 - kBits;
  static constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15U;

  std::array<Line, std::size_t{1} << kBits> lines_{};
};

}  // namespace warpfiber::check
