// SPDX-License-Identifier: Apache-2.0
// The marks are inaccessible until the first of them has faulted. Whether the instruction that wrote it stores a vector
// holds for all later rows of the same code.
#include "engine/claims/quick_rows.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <warpfiber/detail/current_thread.hpp>

#include <algorithm>
#include <cstdint>

#include "fiber/tools.hpp"

namespace warpfiber::engine {
namespace {

using detail::current_thread;

#if defined(__x86_64__) && defined(__linux__)
constexpr bool kShowsInstructions = true;
#else
constexpr bool kShowsInstructions = false;
#endif

/// Shorter rows are over before a vectorised loop begins, or take longer in one.
constexpr unsigned kLeastRow = 32;
/// Rows of at least this length run in a vectorised loop if there is one. What shorter rows show holds for those only.
constexpr unsigned kLongRow = 64;

bool is_prefix(unsigned char byte) {
  constexpr unsigned char kLegacy[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0xf2, 0xf3};
  const bool is_rex = (byte & 0xf0) == 0x40;
  return is_rex || std::find(std::begin(kLegacy), std::end(kLegacy), byte) != std::end(kLegacy);
}

/// Whether `instruction`, a store of integers, stores several of them: movups, movaps, movq, movdqa or movdqu, or
/// anything with a VEX or EVEX prefix (Intel SDM, volume 2, "Instruction Format" and the opcode map).
bool stores_vector(const void* instruction) {
  const auto* byte = static_cast<const unsigned char*>(instruction);
  while (is_prefix(*byte)) ++byte;
  constexpr unsigned char kVex3 = 0xc4;
  constexpr unsigned char kVex2 = 0xc5;
  constexpr unsigned char kEvex = 0x62;
  if (*byte == kVex3 || *byte == kVex2 || *byte == kEvex) return true;
  constexpr unsigned char kTwoBytes = 0x0f;
  constexpr unsigned char kStores[] = {0x11, 0x29, 0x7f, 0xd6};
  return *byte == kTwoBytes && std::find(std::begin(kStores), std::end(kStores), byte[1]) != std::end(kStores);
}

}  // namespace

QuickRows::~QuickRows() {
  if (marks_ != nullptr) munmap(marks_, bytes_);
}

bool QuickRows::make_marks() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  bytes_ = std::max(page, detail::kMostThreads * sizeof(detail::RowMark));
  void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  marks_ = static_cast<char*>(memory);
  return true;
}

void QuickRows::protect(bool protect) {
  mprotect(marks_, bytes_, protect ? PROT_NONE : PROT_READ | PROT_WRITE);
  protected_ = protect;
}

QuickRows::Known& QuickRows::known() {
  constexpr unsigned kAlignment = 4;  // bits; functions begin at such addresses
  const std::uintptr_t place = reinterpret_cast<std::uintptr_t>(code_) >> kAlignment;
  return known_[(place * 2 + (short_ ? 1 : 0)) % known_.size()];
}

void QuickRows::begin(const void* code, bool allowed) {
  code_ = code;
  allowed_ = allowed && kShowsInstructions;
  stopped_ = false;
}

void QuickRows::end() {
  if (protected_) protect(false);
}

void QuickRows::start() {
  const bool possible = allowed_ && !stopped_ && current_thread.body_in_sight && current_thread.row_end >= kLeastRow;
  if (current_thread.quick_rows || !possible) return;
  short_ = current_thread.row_end < kLongRow;
  Known& known = this->known();
  if (known.code != code_) known = Known{code_, Loop::unknown};
  if (known.loop == Loop::scalar || (marks_ == nullptr && !make_marks())) {
    stopped_ = true;
    return;
  }
  if (known.loop == Loop::unknown) {
    if (fiber::is_observed()) {
      stopped_ = true;
      return;
    }
    protect(true);
  }
  current_thread.row_marks = reinterpret_cast<detail::RowMark*>(marks_);
  current_thread.quick_rows = true;
}

void QuickRows::stop() {
  stopped_ = true;
}

bool QuickRows::takes_fault(const void* address, const void* instruction) {
  const char* at = static_cast<const char*>(address);
  if (!protected_ || at < marks_ || at >= marks_ + bytes_) return false;
  protect(false);
  known().loop = stores_vector(instruction) ? Loop::vectorised : Loop::scalar;
  if (known().loop == Loop::scalar) stop();
  return true;
}

}  // namespace warpfiber::engine
