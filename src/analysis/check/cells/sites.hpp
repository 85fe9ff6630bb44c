// SPDX-License-Identifier: Apache-2.0
// Instructions that access memory, numbered so that a shadow cell can name them in 16 bits, and anew for the calls that
// lead to them where functions were not inlined. One register for the process, because cells outlive launches. Any
// thread may call.
#pragma once

#include <warpfiber/detail/site.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#include "check/cells/word.hpp"
#include "record/stack_depot.hpp"

namespace warpfiber::check {

/// More instructions than the numbers distinguish share this one, which stands for none.
inline constexpr unsigned kUnknownSite = 0;

/// The number of `instruction`.
unsigned number_of_site(const void* instruction);
/// The same for a call that says where it is, from inside a function of the library.
unsigned number_of_site(const Site& call);
/// The number of what has `number`, reached by the calls that return to `callers`; `number` itself where there are too
/// many.
unsigned number_of_site(unsigned number, record::StackId callers);
/// The number of the same instruction or call without them.
unsigned alone(unsigned number);
/// Where they return to.
record::StackId callers_of_site(unsigned number);
/// The instruction that has the number; null for kUnknownSite and for calls.
const void* instruction_of_site(unsigned number);
/// The call that has the number; line 0 where that is an instruction.
Site call_of_site(unsigned number);

/// What one worker knows of an instruction: its number, and words in which its first access of a launch needs no look
/// at the objects of memory (LaunchChecker::remember).
struct alignas(32) SiteLine {
  const void* instruction = nullptr;
  Notes notes = 0;  // of its access to a whole word
  std::size_t first_word = 0;
  std::uint32_t words = 0;
  std::uint32_t generation = 0;  // the lower half of memory::objects_generation() then

  unsigned number() const { return site_of(notes, 0); }
};

/// The instructions that one worker asked for last, but those to which calls lead (calls/callers.hpp).
class SiteCache {
 public:
  /// Another instruction's line where that one has not been asked for, or not lately.
  const SiteLine& line(const void* instruction) const { return lines_[place(instruction)]; }

  SiteLine& find(const void* instruction) {
    SiteLine& line = lines_[place(instruction)];
    if (line.instruction != instruction) [[unlikely]] {
      constexpr Notes kAll = initialised((1U << kWordBytes) - 1);
      line = {.instruction = instruction, .notes = notes_for(number_of_site(instruction), Scope::device) | kAll};
    }
    return line;
  }

  /// The line, or null where the instruction has none now.
  SiteLine* known(const void* instruction) {
    SiteLine& line = lines_[place(instruction)];
    return line.instruction == instruction ? &line : nullptr;
  }

 private:
  // Calls of a loop lie together, and no two of them as near as this.
  static constexpr unsigned kShift = 2;
  static constexpr std::size_t kLines = 1024;
  static std::size_t place(const void* instruction) {
    return reinterpret_cast<std::uintptr_t>(instruction) >> kShift & (kLines - 1);
  }

  std::array<SiteLine, kLines> lines_{};
};

}  // namespace warpfiber::check
