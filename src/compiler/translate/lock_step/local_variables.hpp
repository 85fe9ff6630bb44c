// SPDX-License-Identifier: Apache-2.0
//
// The variables that a function of the device declares, as far as loops that wait have to know them.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "translate/passes.hpp"

namespace warpfiber::translate {

class LocalVariables {
 public:
  LocalVariables(const Tokens& tokens, const Function& function);

  /// Whether all that the function declares under the name at `i` are plain variables of its own, arrays of such, or
  /// parameters that a caller's variable is bound to, and there is one.
  bool are_plain(std::size_t i) { return find(i).is_plain; }
  bool is_array(std::size_t i) { return find(i).is_array; }
  /// Whether all of them are declared among tokens `where`.
  bool are_declared_in(std::size_t i, TokenRange where);
  /// The class whose object the name at `i` is, a variable of the function or a parameter by reference: its name, or
  /// kNone.
  std::size_t class_of(std::size_t i) const;
  /// Where the captures open of the lambda that the name at `i` stands for; kNone where it is none.
  std::size_t lambda_of(std::size_t i) const;
  /// Whether the name at `i` is that of a tile, of the thread's block, its grid or its cluster.
  bool is_group(std::size_t i) const;
  /// Whether what the token before a member's name at `i` ends is a barrier in memory, whose type is one of `types`.
  bool is_barrier(std::size_t i, const std::unordered_set<std::string_view>& types) const;
  /// Whether the name is that of a parameter which a variable of the caller is bound to.
  bool is_bound(std::string_view name) const { return bound_.contains(name); }
  /// The number of the parameter of this name, or kNone.
  std::size_t parameter(std::string_view name) const;

  const Function& function() const { return f_; }

 private:
  struct Found {
    bool is_plain = false;
    bool is_array = false;
    std::size_t first = kNone;  // declarations
    std::size_t last = 0;
  };

  const Found& find(std::size_t i);
  Found look(std::size_t i) const;
  bool follows_declarator(std::size_t i) const;
  std::size_t first_of_statement(std::size_t i) const;
  bool is_plain_declaration(std::size_t i) const;

  const Tokens& t_;
  const Function& f_;
  std::unordered_map<std::string_view, std::size_t> parameters_;
  std::unordered_set<std::string_view> bound_;
  std::unordered_map<std::string_view, Found> known_;
};

}  // namespace warpfiber::translate
