// SPDX-License-Identifier: Apache-2.0
//
// Of the variables those are carried from pass to pass that count, that come of themselves, or that are assigned under
// a condition, unless they are declared in the loop and so begin anew; and those that come of a carried one.
#include "translate/lock_step/idle_loops.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "translate/lock_step/idle_words.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::size_t kLongestLoop = 4096;  // in tokens

class CarriedVariables {
 public:
  explicit CarriedVariables(const IdleText& text) : text_(text) {
    for (const IdleAssignment& one : text.assignments()) {
      assigned_.insert(one.name);
      if (!one.is_inner && (one.keeps_old || !one.under.empty())) carried_.insert(one.name);
    }
    for (bool grows = true; grows;) {
      grows = false;
      for (const std::string_view name : assigned_) {
        if (!still_.contains(name) && comes_of_still(name)) grows = still_.insert(name).second;
      }
    }
  }

  /// Whether nothing that differs from pass to pass has a part in `text`.
  bool is_still(TokenRange text) const { return is_still(text, {}); }

 private:
  bool is_still(TokenRange text, std::string_view itself) const {
    bool all = true;
    text_.each_name(text, [&](std::string_view name) {
      all = all && !name.empty() && (!assigned_.contains(name) || still_.contains(name) || name == itself);
    });
    return all;
  }

  /// Whether all that is assigned to the variable comes of memory, and of variables that do.
  bool comes_of_still(std::string_view name) const {
    if (carried_.contains(name)) return false;
    return std::ranges::all_of(text_.assignments(), [&](const IdleAssignment& one) {
      if (one.name != name) return true;
      const std::string_view itself = one.is_inner ? name : std::string_view();
      const auto is_part_still = [&](TokenRange part) { return is_still(part, itself); };
      return is_part_still(one.by) && (!one.is_inner || std::ranges::all_of(one.under, is_part_still));
    });
  }

  const IdleText& text_;
  std::unordered_set<std::string_view> assigned_;
  std::unordered_set<std::string_view> carried_;
  std::unordered_set<std::string_view> still_;
};

/// Whether where the loop is left, and what it says to others, is the same in each pass.
bool is_unmoved(const IdleText& text, TokenRange condition) {
  const CarriedVariables carried(text);
  const auto is_still = [&](TokenRange part) { return carried.is_still(part); };
  return is_still(condition) && std::ranges::all_of(text.said(), is_still) &&
         std::ranges::all_of(text.exits(),
                             [&](const IdleExit& one) { return std::ranges::all_of(one.under, is_still); });
}

}  // namespace

bool reads_by_call(const Tokens& tokens, TokenRange text) {
  for (std::size_t i = text.begin; i < text.end; ++i) {
    if (!tokens.is_identifier(i)) continue;
    if (tokens.is(i + 1, '(') && is_read_by_name(tokens.text(i))) return true;
    if (is_load_of_ptx(tokens, i)) return true;
  }
  return false;
}

IdleLoop read_idle_loop(const TranslationUnit& program, LocalVariables& locals, IdleCalls& calls,
                        const LoopParts& loop) {
  const Tokens& tokens = program.tokens;
  if (loop.body.end - loop.body.begin > kLongestLoop) return {};
  IdleText text(program, locals, calls, loop.body);
  const TokenRange inside =
      tokens.is(loop.body.begin, '{') ? TokenRange{loop.body.begin + 1, loop.body.end - 1} : loop.body;
  if (!text.read_expression(loop.condition) || !text.read_statements(inside) || !text.read_expression(loop.step))
    return {};
  // One that is always left is no loop.
  const bool ends = !loop.condition.empty() || !text.exits().empty();
  const bool is_once = std::ranges::any_of(text.exits(), [](const IdleExit& one) { return one.under.empty(); });
  if (!ends || is_once || !is_unmoved(text, loop.condition)) return {};
  return {true,         text.reads(),     text.asks_others() || text.calls_functions(),
          text.exits(), text.continues(), text.lambdas()};
}

}  // namespace warpfiber::translate
