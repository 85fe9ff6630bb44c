// SPDX-License-Identifier: Apache-2.0
//
// Finds functions by their names: of several of one name all have to be such. What a function returns comes of the
// names in what it returns and in the conditions that decide where, and of what those come of.
#include "translate/lock_step/idle_calls.hpp"

#include <algorithm>

#include "translate/lock_step/idle_text.hpp"
#include "translate/lock_step/idle_words.hpp"
#include "translate/text/parameters.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::size_t kLongestFunction = 1024;  // in tokens

/// What the values come of that a function returns or says to others.
class ResultSources {
 public:
  explicit ResultSources(const IdleText& text) : text_(text) {}

  void find() {
    for (const IdleExit& one : text_.exits()) {
      add(one.value);
      add_all(one.under);
    }
    add_all(text_.said());
    for (std::size_t known = 0; known != names_.size();) {
      known = names_.size();
      for (const IdleAssignment& one : text_.assignments()) {
        if (!names_.contains(one.name)) continue;
        add(one.by);
        add_all(one.under);
      }
    }
  }
  const std::unordered_set<std::string_view>& names() const { return names_; }
  bool has_clock() const { return has_clock_; }

 private:
  void add(TokenRange range) {
    text_.each_name(range, [this](std::string_view name) {
      if (name.empty()) {
        has_clock_ = true;
      } else {
        names_.insert(name);
      }
    });
  }
  void add_all(const std::vector<TokenRange>& ranges) {
    for (const TokenRange& one : ranges) add(one);
  }

  const IdleText& text_;
  std::unordered_set<std::string_view> names_;
  bool has_clock_ = false;
};

/// The brace of the class of a member function, and whether the class has bases.
bool has_bases(const Tokens& tokens, const EnclosingScope& scope) {
  return find_mark(tokens, scope.begin, scope.open, ':') != scope.open;
}

bool is_called(const Tokens& tokens, const EnclosingScope& scope, std::string_view name) {
  for (std::size_t i = scope.begin; i < scope.open; ++i) {
    if (tokens.is_identifier(i) && tokens.is(i, name)) return true;
  }
  return false;
}

}  // namespace

void IdleCall::add(const IdleCall& other) {
  is_idle = is_idle && other.is_idle;
  reads = reads || other.reads;
  asks_others = asks_others || other.asks_others;
  has_clock = has_clock || other.has_clock;
  moves_object = moves_object || other.moves_object;
  object_matters = object_matters || other.object_matters;
  moved |= other.moved;
  matters |= other.matters;
}

const std::vector<const Function*>& IdleCalls::functions_of(std::size_t i) {
  const Tokens& tokens = p_.tokens;
  if (by_name_.empty()) {
    by_name_[{}];
    for (const Function& function : p_.outline.functions) {
      if (!function.name.empty()) by_name_[tokens.text(function.name.end - 1)].push_back(&function);
    }
  }
  static const std::vector<const Function*> kNobody;
  const auto found = by_name_.find(tokens.text(i));
  return found == by_name_.end() ? kNobody : found->second;
}

IdleCall IdleCalls::of(std::span<const Function* const> functions, bool is_member) {
  IdleCall all;
  bool any = false;
  for (const Function* one : functions) {
    if (p_.outline.in_class(*one) != is_member || one->body.empty()) continue;
    const auto known = known_.find(one);
    // A function that calls itself is none while it is read.
    if (known == known_.end()) known_[one] = {};
    const IdleCall call = known == known_.end() ? read(*one) : known->second;
    known_[one] = call;
    if (any) {
      all.add(call);
    } else {
      all = call;
    }
    any = true;
  }
  return all;
}

IdleCall IdleCalls::of_member(std::size_t i, std::size_t type) {
  const Tokens& tokens = p_.tokens;
  std::vector<const Function*> members;
  for (const Function* one : functions_of(i)) {
    const EnclosingScope& scope = p_.outline.scopes[one->scope];
    if (!p_.outline.in_class(*one) || !is_called(tokens, scope, tokens.text(type))) continue;
    if (has_bases(tokens, scope)) return {};
    members.push_back(one);
  }
  return of(members, true);
}

bool IdleCalls::may_change(std::size_t i) {
  const Tokens& tokens = p_.tokens;
  const bool is_member = tokens.is(i - 1, '.') || tokens.is(i - 1, "->");
  const std::vector<const Function*>& all = functions_of(i);
  const auto is_one = [&](const Function* one) {
    return p_.outline.in_class(*one) == is_member && !one->body.empty() && one->qualifiers.on_device();
  };
  if (std::ranges::none_of(all, is_one)) return false;
  const IdleCall call = of(all, is_member);
  return !call.is_idle || call.moved != 0 || call.moves_object;
}

IdleCall IdleCalls::read(const Function& function) {
  const Tokens& tokens = p_.tokens;
  constexpr std::size_t kMostParameters = 64;
  const bool is_known = function.qualifiers.on_device() && !function.qualifiers.has(Keyword::global) &&
                        !function.is_special_member && function.body.end - function.body.begin <= kLongestFunction;
  if (!is_known || depth_ >= kDeepest) return {};
  const std::vector<Parameter> parameters = read_parameters(tokens, {function.open + 1, function.close});
  if (parameters.size() > kMostParameters || std::ranges::any_of(parameters, &Parameter::is_pack)) return {};
  LocalVariables locals(tokens, function);
  IdleText text(p_, locals, *this, {});
  ++depth_;
  const bool is_idle = text.read_statements({function.body.begin + 1, function.body.end - 1});
  --depth_;
  if (!is_idle) return {};
  IdleCall made{.is_idle = true,
                .reads = text.reads() || mentions_reread(tokens, function.begin, function.body.end),
                .asks_others = text.asks_others(),
                .moves_object = text.moves_object()};
  ResultSources sources(text);
  sources.find();
  made.has_clock = sources.has_clock();
  for (const std::string_view name : sources.names()) {
    const std::size_t number = locals.parameter(name);
    if (number != kNone) made.matters |= std::uint64_t{1} << number;
    made.object_matters = made.object_matters || is_member_variable(function, name);
  }
  for (const IdleAssignment& one : text.assignments()) {
    if (locals.is_bound(one.name)) made.moved |= std::uint64_t{1} << locals.parameter(one.name);
  }
  return made;
}

bool IdleCalls::is_member_variable(const Function& member, std::string_view name) const {
  const Tokens& tokens = p_.tokens;
  if (!p_.outline.in_class(member)) return false;
  const std::size_t open = p_.outline.scopes[member.scope].open;
  const std::size_t end = std::min(tokens.match(open), tokens.size());
  for (std::size_t i = open + 1; i < end; i = after_group(tokens, i)) {
    if (!tokens.is_identifier(i) || !tokens.is(i, name) || !is_type_word(tokens, i - 1)) continue;
    return tokens.is(i + 1, ';') || tokens.is(i + 1, '=') || tokens.is(i + 1, '{') || tokens.is(i + 1, ',');
  }
  return false;
}

const std::unordered_set<std::string_view>& IdleCalls::barriers() {
  if (!barriers_.empty()) return barriers_;
  const Tokens& tokens = p_.tokens;
  barriers_.insert("barrier");
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.is_identifier(i) || !tokens.is(i, "using") || !tokens.is(i + 2, '=')) continue;
    for (std::size_t by = i + 3; by < tokens.size() && !tokens.is(by, ';'); ++by) {
      if (tokens.is(by, "barrier")) barriers_.insert(tokens.text(i + 1));
    }
  }
  return barriers_;
}

}  // namespace warpfiber::translate
