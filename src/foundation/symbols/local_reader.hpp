// SPDX-License-Identifier: Apache-2.0
// Variables that functions declare, read from debug information. For one thread at a time, and used by the symboliser
// only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symbols/frame.hpp"
#include "symbols/libdw.hpp"
#include "symbols/type_reader.hpp"

namespace warpfiber::symbols {

class LocalReader {
 public:
  /// Only variables whose declarations name a typedef that ends with `alias_ending`, unless that is empty.
  LocalReader(TypeReader& types, std::string_view alias_ending) : types_(types), alias_ending_(alias_ending) {}

  std::vector<LocalVariable> read(Dwfl_Module* module, Dwarf_Addr address, LocalScope scope);

 private:
  /// Where the frame offsets of a function's variables begin, and the address that is asked about.
  struct SeenFrom {
    std::optional<std::int64_t> frame_base{};
    Dwarf_Addr address = 0;
    unsigned depth = 0;
  };

  void add_seen(Dwarf_Die& parent, const SeenFrom& from);
  void add_all(Dwarf_Die& parent);
  void add(Dwarf_Die& die, unsigned depth);

  TypeReader& types_;
  std::string alias_ending_;
  std::vector<LocalVariable> found_;
};

}  // namespace warpfiber::symbols
