// SPDX-License-Identifier: Apache-2.0
// Rows of threads that run in a loop the compiler may have vectorised (run_quick_row in <warpfiber/detail/claim.hpp>).
// Such a loop keeps no thread's index in memory, so none of its threads can be interrupted for another and none can be
// named. That does no harm where it is vectorised, since no thread of it has a loop of its own to spin in, and must not
// be where it is not. Nobody but the compiler knows which it is, and the code shows it: the loop writes a mark a
// thread, and the first row's first mark faults, which shows the instruction. On Linux, x86-64; elsewhere no row is
// quick.
#pragma once

#include <array>
#include <cstddef>

namespace warpfiber::engine {

/// Belongs to a worker.
class QuickRows {
 public:
  QuickRows() = default;
  ~QuickRows();
  QuickRows(const QuickRows&) = delete;
  QuickRows& operator=(const QuickRows&) = delete;

  /// A launch of what `code` runs begins, whose rows may be quick.
  void begin(const void* code, bool allowed);
  void end();
  /// Blocks of this launch do not wait: the rows from here on may be quick.
  void start();
  /// No row after the running one is quick any more.
  void stop();
  bool stopped() const { return stopped_; }

  /// Whether a fault at `address` is the first mark of a row, which then has shown what its loop is. The instruction
  /// may run again.
  bool takes_fault(const void* address, const void* instruction);

 private:
  enum class Loop { unknown, scalar, vectorised };
  struct Known {
    const void* code = nullptr;
    Loop loop = Loop::unknown;
  };
  Known& known();
  bool make_marks();
  void protect(bool protect);

  char* marks_ = nullptr;
  std::size_t bytes_ = 0;
  const void* code_ = nullptr;
  bool allowed_ = false;
  bool stopped_ = false;
  bool protected_ = false;
  bool short_ = false;              // the rows of the launch
  std::array<Known, 128> known_{};  // by the code's address, for long rows and for short ones
};

}  // namespace warpfiber::engine
