// SPDX-License-Identifier: Apache-2.0
//
// Programs that were written for warps with one program counter: lanes exchange values through volatile shared memory,
// and nothing says that each is to wait for the others. Such a store becomes `s[a] = in_step_with(s, e), in_step(s);`:
// a lane stores when all have read, and reads on when all have stored. Behind a statement at which lanes may have
// parted they are in step again. Stores and statements next to a barrier need no step there.
// A name counts if the function stores to one of its elements and reads another, and waits in no loop for it to change:
// that is a flag.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "translate/lock_step/lock_step.hpp"
#include "translate/text/parameters.hpp"
#include "translate/text/statements.hpp"

namespace warpfiber::translate {
namespace {

const char* const kStep = "::warpfiber::cuda::in_step(";
constexpr std::string_view kOfBlock[] = {"blockDim", "gridDim", "blockIdx", "warpSize", "sizeof"};
const char* const kStepWith = " ::warpfiber::cuda::in_step_with(";

bool same_tokens(const Tokens& tokens, TokenRange a, TokenRange b) {
  if (a.end - a.begin != b.end - b.begin) return false;
  for (std::size_t i = 0; i < a.end - a.begin; ++i) {
    if (tokens.text(a.begin + i) != tokens.text(b.begin + i)) return false;
  }
  return true;
}

bool contains(TokenRange range, std::size_t i) {
  return range.begin <= i && i < range.end;
}

/// The conditions of the loops in [begin, end).
std::vector<TokenRange> loop_conditions(const Tokens& tokens, TokenRange body) {
  std::vector<TokenRange> conditions;
  for (std::size_t i = body.begin; i < body.end; ++i) {
    const bool is_for = tokens.is(i, "for");
    if ((!is_for && !tokens.is(i, "while")) || !tokens.is(i + 1, '(') || tokens.match(i + 1) == kNone) continue;
    TokenRange condition{i + 2, tokens.match(i + 1)};
    if (is_for) {
      condition.begin = find_mark(tokens, condition.begin, condition.end, ';');
      condition.end = find_mark(tokens, condition.begin + 1, condition.end, ';');
    }
    conditions.push_back(condition);
  }
  return conditions;
}

/// One function whose lanes exchange values.
class Steps {
 public:
  Steps(TranslationUnit& program, const Function& function, const std::vector<VolatileAccess>& accesses)
      : p_(program), t_(program.tokens), f_(function), accesses_(accesses) {
    for (const TokenRange& list : f_.templates) {
      for (const Parameter& parameter : read_template_parameters(t_, list)) uniform_.insert(t_.text(parameter.name));
    }
  }

  void rewrite() {
    find_exchanged();
    if (!stores_.empty()) block(f_.body.begin + 1, f_.body.end - 1);
  }

 private:
  static constexpr int kDeepest = 200;  // statements within statements; nobody writes more

  void find_exchanged() {
    const std::vector<TokenRange> conditions = loop_conditions(t_, f_.body);
    std::set<std::string_view> flags;
    for (const VolatileAccess& access : accesses_) {
      const bool waits = std::ranges::any_of(
          conditions, [&](const TokenRange& condition) { return contains(condition, access.element.begin); });
      if (waits) flags.insert(access.name);
    }
    for (const VolatileAccess& store : accesses_) {
      if (store.store == kNone || flags.contains(store.name)) continue;
      const bool exchanged = std::ranges::any_of(accesses_, [&](const VolatileAccess& other) {
        return other.name == store.name && other.is_read && !same_tokens(t_, other.element, store.element);
      });
      if (exchanged) names_.insert(store.name);
    }
    for (const VolatileAccess& store : accesses_) {
      if (store.store != kNone && names_.contains(store.name)) stores_.emplace(store.store, &store);
    }
  }

  void block(std::size_t i, std::size_t end) {
    while (i < end) {
      const std::size_t next = past_statement(t_, i);
      statement(i);
      i = std::max(next, i + 1);
    }
  }

  void statement(std::size_t i) {
    const std::size_t end = past_statement(t_, i);
    const auto first = stores_.lower_bound(i);
    if (first == stores_.end() || first->first >= end || depth_ == kDeepest) return;
    ++depth_;
    i = skip_attributes(t_, skip_labels(t_, i));
    const Compound compound = read_compound(t_, i);
    if (t_.is(i, '{')) {
      block(i + 1, end - 1);
    } else if (compound.kind == CompoundKind::none) {
      if (t_.is(end - 1, ';') && i < end - 1) expression({i, end - 1}, end - 1);
    } else {
      controlled({i, end}, compound, *first->second);
    }
    --depth_;
  }

  /// A compound statement with `store` in it. Lanes that take different ways through it are in step again behind it.
  void controlled(TokenRange range, const Compound& compound, const VolatileAccess& store) {
    const std::size_t last = range.end - 1;
    const bool rejoins = !t_.is(range.begin - 1, "else") && parts(range, compound, store);
    if (rejoins) {
      p_.edits.insert(p_.end_of(range.begin - 1), " {", kLayerSteps);  // before a #pragma of the loop
      rejoined_.emplace(last, store.name);
    }
    if (compound.kind == CompoundKind::loop) loop_ends_.insert(past_statement(t_, compound.body) - 1);
    statement(compound.body);
    if (compound.otherwise != kNone) statement(compound.otherwise);
    if (rejoins) p_.edits.insert(p_.end_of(last), " " + step(store) + "; }", kLayerSteps);
    settled_.insert(last);
  }

  /// Whether lanes that take different ways through the statement could be out of step behind it.
  bool parts(TokenRange statement, const Compound& compound, const VolatileAccess& store) const {
    return is_known_before(store, statement.begin) && !is_uniform(compound) &&
           !is_before_step(statement.end - 1, store.name);
  }

  /// Whether all that the base of `store` names is known before token `i`.
  bool is_known_before(const VolatileAccess& store, std::size_t i) const {
    if (store.declared > i) return false;
    for (std::size_t at = store.base.begin; at < store.base.end; ++at) {
      if (!t_.is_identifier(at) || is_keyword(t_, at) || is_builtin_type(t_, at)) continue;
      if (t_.is(at, store.name) || t_.is(at, "this")) continue;
      std::size_t first = f_.begin;
      while (t_.text(first) != t_.text(at)) ++first;
      if (first >= i) return false;
    }
    return true;
  }

  /// Whether all lanes go the same way: nothing but constants of the template and what a block has in common is asked.
  bool is_uniform(const Compound& compound) const {
    if (compound.is_constexpr) return true;
    if (compound.kind == CompoundKind::loop) return compound.is_once;
    if (compound.kind == CompoundKind::choice) return false;
    for (std::size_t i = compound.condition.begin; i < compound.condition.end; ++i) {
      const bool names = t_.is_identifier(i) && !t_.is(i - 1, '.') && !is_builtin_type(t_, i);
      const bool of_block = std::ranges::find(kOfBlock, t_.text(i)) != std::end(kOfBlock);
      if (names && !of_block && !uniform_.contains(t_.text(i))) return false;
    }
    return true;
  }

  /// The expression before the semicolon `last`, and the bodies of lambdas in it.
  void expression(TokenRange range, std::size_t last) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const TokenRange body = t_.is(i, '[') ? read_lambda(t_, i).body : TokenRange{};
      if (body.empty()) continue;
      block(body.begin + 1, body.end - 1);
      i = body.end - 1;
    }
    if (t_.is(range.begin, '(') && t_.match(range.begin) == range.end - 1) range = {range.begin + 1, range.end - 1};
    for (const TokenRange& part : split_commas(t_, range.begin, range.end)) {
      assignment(part, part.end == range.end ? last : kNone);
    }
  }

  /// The assignment operators of `part` that are in no group. Nothing where one side of `?:` may be the assignment.
  std::vector<std::size_t> operators(TokenRange part) const {
    std::vector<std::size_t> found;
    for (std::size_t i = part.begin; i < part.end; i = after_group(t_, i)) {
      if (t_.is(i, '?') && found.empty()) return {};
      if (is_assignment(t_, i)) found.push_back(i);
    }
    return found;
  }

  /// `last` ends the statement; kNone where other assignments follow.
  void assignment(TokenRange part, std::size_t last) {
    const std::vector<std::size_t> all = operators(part);
    const auto ours = std::ranges::find_if(all, [this](std::size_t i) { return stores_.contains(i); });
    if (ours == all.end() || is_declaration({part.begin, all.front()})) return;
    const VolatileAccess& store = *stores_.at(*ours);
    const TokenRange value{all.back() + 1, part.end};
    const auto begin_of = [](const VolatileAccess& access) { return access.element.begin; };
    const auto next = std::ranges::lower_bound(accesses_, value.begin, {}, begin_of);
    const bool reads = next != accesses_.end() && next->element.begin < value.end;
    const bool is_in_step = reads ? is_settled(part.begin) : is_behind_step(part.begin, store.name);
    if (!is_in_step) p_.edits.insert(p_.begin_of(part.begin), step(store) + ", ", kLayerSteps);
    if (reads) p_.edits.insert(p_.end_of(all.back()), kStepWith + place(store) + ",", kLayerStepWith);
    std::string behind = reads ? ")" : "";
    const bool steps = last == kNone || !is_before_step(last, store.name);
    if (steps) behind += ", " + step(store);
    p_.edits.insert(p_.end_of(value.end - 1), std::move(behind), kLayerSteps);
    if (last == kNone) return;
    settled_.insert(last);
    if (steps) stepped_.emplace(last, store.name);
  }

  /// Whether what stands before the first operator declares a variable: `T x`, `T* x`.
  bool is_declaration(TokenRange left) const {
    const bool is_name = t_.is_identifier(left.end - 1) && !stores_.contains(left.end);
    return is_name && left.end - left.begin > 1 && !t_.is(left.end - 2, '.') && !t_.is(left.end - 2, "->") &&
           !t_.is(left.begin, '*');
  }

  std::string place(const VolatileAccess& store) const {
    return (store.is_address ? "" : "&") + flat_text(t_, store.base.begin, store.base.end);
  }
  std::string step(const VolatileAccess& store) const { return kStep + place(store) + ")"; }

  /// Whether a barrier, a step or the end of the kernel follows the statement that ends with token `last`.
  bool is_before_step(std::size_t last, std::string_view name) const {
    for (;; ++last) {
      if (loop_ends_.contains(last)) return false;
      if (has(rejoined_, last, name)) return true;
      if (t_.is(last + 1, "else")) return false;
      if (last + 2 == f_.body.end) return f_.qualifiers.has(Keyword::global);
      if (!t_.is(last + 1, '}')) return is_barrier(t_, last + 1);
    }
  }

  /// Whether a barrier or a step stands right before token `i`, so that nothing has been read since.
  bool is_behind_step(std::size_t i, std::string_view name) const {
    return has(stepped_, i - 1, name) || has(rejoined_, i - 1, name) ||
           (t_.is(i - 1, ';') && is_barrier(t_, statement_before(i)));
  }

  using Ends = std::map<std::size_t, std::string_view>;
  static bool has(const Ends& ends, std::size_t last, std::string_view name) {
    const auto found = ends.find(last);
    return found != ends.end() && found->second == name;
  }

  /// The first token of the simple statement that ends before token `i`.
  std::size_t statement_before(std::size_t i) const {
    --i;
    while (i > f_.body.begin + 1 && !t_.is(i - 1, ';') && !t_.is(i - 1, '{') && !t_.is(i - 1, '}')) {
      --i;
      if ((t_.is(i, ')') || t_.is(i, ']')) && t_.match(i) != kNone) i = t_.match(i);
    }
    return i;
  }

  /// Whether nothing may have been stored before token `i` since lanes were in step.
  bool is_settled(std::size_t i) const {
    if (t_.is(i - 1, ',')) return true;  // behind another assignment
    while (i > f_.body.begin + 1) {
      if (settled_.contains(i - 1)) return true;
      const std::size_t head = head_of(t_, i);
      if (head != kNone) {
        i = head;
      } else if (t_.is(i - 1, '{')) {
        --i;
      } else if (t_.is(i - 1, ';')) {
        const std::size_t before = statement_before(i);
        if (is_barrier(t_, before)) return true;
        if (!stores_nothing({before, i - 1})) return false;
        i = before;
      } else {
        return false;
      }
    }
    return false;
  }

  /// Whether the statement declares a variable, or sets one by its name, and calls nothing.
  bool stores_nothing(TokenRange statement) const {
    const std::size_t value = find_mark(t_, statement.begin, statement.end, '=');
    for (std::size_t i = statement.begin; i < statement.end; ++i) {
      if (t_.is(i, '(') || t_.is(i, "++") || t_.is(i, "--")) return false;
      if (i < value && !t_.is_identifier(i) && !(t_.is(i, '*') && i > statement.begin) && !is_assignment(t_, i)) {
        return false;
      }
    }
    return true;
  }

  TranslationUnit& p_;
  const Tokens& t_;
  const Function& f_;
  const std::vector<VolatileAccess>& accesses_;
  std::set<std::string_view> names_;                     // by which lanes exchange values
  std::map<std::size_t, const VolatileAccess*> stores_;  // to those, by their operators
  std::set<std::string_view> uniform_;
  std::set<std::size_t> loop_ends_;  // the last tokens of bodies of loops
  std::set<std::size_t> settled_;    // the last tokens of statements behind which lanes are in step
  Ends stepped_;                     // of assignments that end with a step, and by which name
  Ends rejoined_;                    // of compound statements that a step follows
  int depth_ = 0;
};

}  // namespace

void add_steps(TranslationUnit& program, const Function& function, const std::vector<VolatileAccess>& accesses) {
  Steps(program, function, accesses).rewrite();
}

}  // namespace warpfiber::translate
