// SPDX-License-Identifier: Apache-2.0
//
// Which elements of volatile memory a function of the device touches, as far as its own text and the declarations
// around it show: pointers and references to volatile, shared arrays that are, members of classes, casts. What is
// volatile and private to a thread does not count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "translate/passes.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {

/// A variable that leads to volatile memory.
struct VolatileName {
  std::string_view name;
  TokenRange scope;         // where it is known
  bool is_address = false;  // a pointer or an array: its elements are meant; else itself
  bool is_member = false;   // of a class: named by its member functions and behind `.` and `->`
};

/// `s[i]`, `*s`, `this->s[i].x`, `((volatile T*)s)[i]`.
struct VolatileAccess {
  TokenRange element{};       // with all that leads to it
  TokenRange base{};          // what shows where it lies: `s`, `this->s`, `((volatile T*)s)`
  bool is_address = false;    // of base: it says where; else its own address does
  std::size_t declared = 0;   // the token from which on `name` is known; casts: 0
  std::string_view name;      // by which accesses to the same memory are known
  std::size_t store = kNone;  // the assignment operator behind it
  bool is_read = false;
};

class VolatileNames {
 public:
  void add(const VolatileName& name);
  bool empty() const { return by_name_.empty(); }
  /// What token `i` may be; null if it is none. Of several the one that was added last, which is the innermost.
  /// `behind_dot`: it stands behind `.` or `->`; `bare_members`: members are named without.
  const VolatileName* at(const Tokens& tokens, std::size_t i, bool behind_dot, bool bare_members) const;
  /// Whether there may be a name of this spelling: a quick look.
  bool may_contain(std::string_view name) const;

 private:
  std::map<std::string_view, std::vector<VolatileName>> by_name_;
  std::uint64_t kinds_ = 0;
};

/// Those that are declared outside of functions.
VolatileNames outer_volatile_names(const TranslationUnit& program);

/// In the order of the text.
std::vector<VolatileAccess> volatile_accesses(const TranslationUnit& program, const Function& function,
                                              const VolatileNames& outer);

}  // namespace warpfiber::translate
