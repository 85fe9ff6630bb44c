// SPDX-License-Identifier: Apache-2.0
// Accesses that the compiled code counts instead of reporting them (series.hpp): when that may begin, and what they
// leave in the shadow. Belongs to one worker.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/counted/series.hpp"
#include "check/running/running_thread.hpp"

namespace warpfiber::check {

/// Where accesses go that cannot be put into the shadow as they were counted.
class SlowAccesses {
 public:
  SlowAccesses() = default;
  SlowAccesses(const SlowAccesses&) = delete;
  SlowAccesses& operator=(const SlowAccesses&) = delete;

  /// An access of the thread that threadIdx names, to a whole word.
  virtual void access_word(const char* address, bool write, unsigned site) = 0;

 protected:
  ~SlowAccesses() = default;
};

class CountedAccesses {
 public:
  CountedAccesses(const ThreadNumbering& numbering, const LaunchIdentity& launch, RunningThread& running,
                  SlowAccesses& slow)
      : threads_(numbering.threads_of_block()),
        numbering_(numbering),
        launch_(launch),
        running_(running),
        slow_(slow) {}

  bool none() const { return series_.none(); }
  /// Whether the access is to a word that accesses were counted of or are going to be, or is not the one that its
  /// instruction's counter waits for, as in a loop: then no thread's would be but its first.
  bool ends_at(std::size_t index, std::ptrdiff_t counter) const {
    if (counter != 0 && *counter_at(counter) != detail::counted_nothing) return true;
    return series_.may_come_to(index) && series_.comes_to(index, threads_);
  }
  /// The same for several words, by an instruction that has no counter.
  bool ends_at(std::size_t index, unsigned words) const {
    if (series_.none()) return false;
    for (unsigned i = 0; i < words; ++i) {
      if (series_.may_come_to(index + i) && series_.comes_to(index + i, threads_)) return true;
    }
    return false;
  }

  /// Thread 0 has reported its access to the word, which nobody had used before, or only itself. What is known of the
  /// word is known of `known` words from there.
  void begin(std::size_t index, std::size_t known, Notes notes, bool write, std::ptrdiff_t offset);
  /// Puts what was counted into the shadow, and no instruction counts any more.
  void flush() {
    if (!series_.none()) [[unlikely]]
      flush_all();
  }

 private:
  void flush_all();
  void flush(const Series& one, unsigned count) const;
  void report_again(const Series& one, unsigned count);

  unsigned threads_;  // of a block
  const ThreadNumbering& numbering_;
  const LaunchIdentity& launch_;
  RunningThread& running_;
  SlowAccesses& slow_;
  SeriesList series_;
  unsigned tried_at_ = 0;  // RunningThread::ended_segments() then
};

}  // namespace warpfiber::check
