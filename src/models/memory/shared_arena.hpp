// SPDX-License-Identifier: Apache-2.0
// The shared memory of one resident block: every static shared variable of the program at its own offset, then the
// dynamic part, with red zones before, between and behind them. A variable is filled with poison when a block first
// touches it, so a block never sees zeroes that nobody wrote or what the block before it left behind. Belongs to the
// worker that runs the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "memory/objects.hpp"

namespace warpfiber::memory {

/// The word that memory holds before anything is written: as int, float, double or half a number far from what programs
/// compute with. Not a NaN, which passes for right where a program asks whether a difference is too large.
inline constexpr std::uint32_t kPoisonWord = 0x5ead5eadU;

void poison(void* memory, std::size_t bytes);

/// Offsets of the static shared variables, handed out before main() and kept for ever.
struct SharedLayout {
  std::size_t bytes = 0;
  unsigned variables = 0;
};
SharedLayout shared_layout();

/// Bytes of the static variables whose tag's name (detail::register_shared) begins with `prefix`.
std::size_t shared_bytes_tagged(std::string_view prefix);

/// A static variable, in the shared memory of every block.
struct SharedStatic {
  unsigned index = 0;      // in SharedArena::touched()
  std::size_t offset = 0;  // from SharedArena::base()
  std::size_t bytes = 0;
  const void* type_pointer = nullptr;  // as in Declared
  std::string_view tag{};              // detail::register_shared's; lives for ever
};

/// Those of this name, which functions may have for variables of their own.
std::vector<SharedStatic> shared_statics(std::string_view name);

class SharedArena {
 public:
  SharedArena() = default;
  ~SharedArena();
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;

  /// Takes the other's memory, whose blocks have ended, and gives it its own, which rests there: the addresses stay
  /// known.
  void exchange_for_rested(SharedArena& other);

  /// Makes room for the program's static variables and `dynamic` bytes. False if the system gives no memory.
  bool reserve(std::size_t dynamic);

  char* base() const { return base_; }
  std::uint32_t* touched() { return touched_.data(); }
  /// Changes when another block touches the variable for the first time.
  std::uint32_t touched_by(unsigned variable) const { return touched_[variable]; }
  char* dynamic() const { return base_ + dynamic_offset_; }
  /// Of the static variables and the dynamic part, from base().
  std::size_t bytes() const { return end_; }
  bool contains(const void* address) const;

  /// Whether an address lies in the pages of the arena, red zones and all.
  bool owns(const void* address) const;
  bool rests() const { return rests_; }
  /// The variable, or the dynamic part, that contains the address.
  std::optional<Object> object_at(const void* address) const;
  /// The one that contains the address or is nearest to it; none where the block has no shared memory. The dynamic part
  /// where there is none, if the address is where it would begin.
  std::optional<Object> nearest_object(const void* address) const;
  /// All that have bytes.
  std::vector<Object> objects() const;

 private:
  void release();

  char* base_ = nullptr;
  std::size_t taken_ = 0;
  // The serial of the block that last touched each variable. Not in the space: it is no memory of the device.
  std::vector<std::uint32_t> touched_;
  std::size_t dynamic_offset_ = 0;
  std::size_t end_ = 0;
  bool rests_ = false;
};

/// The same in whichever block's memory the address lies; nothing where it lies in none. Any thread may call.
std::optional<Object> shared_object_at(const void* address);
std::optional<Object> nearest_shared_object(const void* address);
/// Whether it rests: the block that had it last has ended.
bool is_rested_shared(const void* address);

}  // namespace warpfiber::memory
