// SPDX-License-Identifier: Apache-2.0
// Unwritten bytes that a thread loads, while it is not known what becomes of them. A thread that only stores them as
// they are, in shared memory or in global memory that the host cannot reach, has moved them, which is a warning, and
// the stored bytes are unwritten then, too: where they are used is the error. Everything else is a use. Padding of
// structures is moved without a word: compilers copy a structure piece by piece, and clang++ the pieces between its
// members as well. Hooks come before their access, so what was stored is known at the thread's next hook or meeting.
// Belongs to one worker.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "check/running/moved_values.hpp"
#include "check/violations/violations.hpp"

namespace warpfiber::check {

class ViolationLog;

class UnwrittenLoads {
 public:
  explicit UnwrittenLoads(ViolationLog& log) : log_(log) {}

  bool none() const { return count_ == 0; }
  /// A thread loads bytes of which none has been written.
  void add(const Side& side, const char* address, std::size_t bytes);
  /// A thread comes to an access at `site`.
  void come(std::uint64_t thread, const char* address, std::size_t bytes, bool write, unsigned site);
  /// Threads meet: what they have stored by now, others may read.
  void meet();
  /// The threads `first` to `last` have ended.
  void finish(std::uint64_t first, std::uint64_t last);
  /// What the launch's moves at `site` have stored counts as written: the threads compute with the values as well.
  void write_moved(unsigned site);

 private:
  static constexpr std::size_t kMostBytes = 16;
  static constexpr std::size_t kMostLoads = 16384;
  static constexpr std::size_t kMostMoves = 4096;

  struct Load {
    Side side{};
    const char* address = nullptr;
    std::size_t bytes = 0;
    bool is_padding = false;
    std::array<char, kMostBytes> value{};
    unsigned hooks_left = 0;
    const char* stored_at = nullptr;  // by the thread's last hook
    unsigned stored_by = 0;           // its site

    bool is_at(const char* place) const;
    bool is_stored() const;
  };

  /// Where unwritten bytes were stored, and the load that they came from.
  struct Move {
    const char* to = nullptr;
    std::size_t bytes = 0;
    Side from{};
  };

  template <class Ends>
  void end_those(std::vector<Load>& loads, const Ends& ends);
  template <class Ends>
  void end_all(const Ends& ends);
  bool is_over(Load& load, const char* address, std::size_t bytes, bool write) const;
  void end(const Load& load);
  bool move_to_global(const Load& load);
  bool may_keep(const char* address) const;
  MovedFrom origin_of(const Load& load);
  void add_use(const Side& side, const char* address, std::size_t bytes);

  ViolationLog& log_;
  std::map<std::uint64_t, std::vector<Load>> loads_;  // by thread
  std::size_t count_ = 0;                             // of all threads
  std::vector<Move> moves_;                           // to shared memory
  std::shared_ptr<const BegunLaunch> launch_;         // null: nothing has been moved to global memory
};

}  // namespace warpfiber::check
