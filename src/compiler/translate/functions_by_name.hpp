// SPDX-License-Identifier: Apache-2.0
//
// Which functions a name in host code means, as far as the text says so without types: those of the device, or those
// of both sides. A name that may be another function's, or a variable's, means none.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "translate/passes.hpp"

namespace warpfiber::translate {

/// All functions of a name, or all static member functions of that name in classes of one name.
struct NamedFunctions {
  bool on_host = false;         // they are of both sides, else the device's alone
  bool are_of_one_kind = true;  // in that
  bool are_one = true;          // they have the same parameters
  bool are_templates = false;   // at least one is
  std::size_t arguments = 0;    // of a template that a name has to have to mean one instance; kNone: never enough
  std::string parameters;
  std::vector<TokenRange> known;      // where the bare name means one of them
  std::set<std::string_view> spaces;  // the namespaces right around them

  struct OfHostAlone {
    std::string_view space;
    TokenRange known;
  };
  std::vector<OfHostAlone> of_host;        // functions of the host alone
  std::vector<const Function*> of_device;  // those of the device alone
  bool are_apart = true;                   // all that have a word of CUDA's are of the host or of the device alone, no
                                           // templates, and in the program's own files
};

class FunctionsByName {
 public:
  explicit FunctionsByName(const TranslationUnit& program);

  bool none() const;
  /// What the identifier `use` means, which may be qualified; null: none of those, or that is not known.
  const NamedFunctions* meant(std::size_t use) const;
  /// The same of a name that is of functions of the host and of others of the device.
  const NamedFunctions* may_be_meant(std::size_t use) const;

 private:
  using InClass = std::pair<std::string_view, std::string_view>;  // a class's name and a function's

  void add(const Function& function, Visibility& visibility);
  void look_for_others();
  void look_at_using(std::size_t word);
  void look_at_declaration(std::size_t name, const std::set<std::string_view>& used);
  void look_for_other_types();

  const TranslationUnit& p_;
  const Tokens& t_;
  std::map<std::string_view, NamedFunctions> functions_;
  std::map<InClass, NamedFunctions> members_;
  std::set<std::string_view> classes_;  // of those
  std::set<std::size_t> declared_;      // names of all of them where they are declared
};

/// Where `a::b<int>::name` or `::name` begins whose last word is `name`.
std::size_t begin_of_qualified_name(const Tokens& tokens, std::size_t name);

/// `namespace a::b {`, `extern "C" {`.
bool opens_namespace(const Tokens& tokens, std::size_t brace);

/// Whether a type may end before token `i`, which then is what is declared.
bool is_behind_type(const Tokens& tokens, std::size_t i);

}  // namespace warpfiber::translate
