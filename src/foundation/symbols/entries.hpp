// SPDX-License-Identifier: Apache-2.0
// Attributes of entries in debug information, also those that an entry has from the one it is an instance of. For one
// thread at a time, and used by readers of debug information only.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>

namespace warpfiber::symbols {

/// Empty where it has none.
std::string name_of(Dwarf_Die& die);

/// The attribute `name`, where it is a number.
std::optional<std::uint64_t> number_at(Dwarf_Die& die, unsigned name);

/// The type that a variable, a member, a pointer or another name for a type names; nothing where it names none.
std::optional<Dwarf_Die> type_named_by(Dwarf_Die& die);

/// How many elements a dimension of an array has; 0: not known.
std::uint64_t elements_of(Dwarf_Die& range);

/// What an entry is an instance of, which has its declaration; itself where it is none.
Dwarf_Die declared(Dwarf_Die& die);

}  // namespace warpfiber::symbols
