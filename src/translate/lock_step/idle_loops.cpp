// SPDX-License-Identifier: Apache-2.0
//
// Reads the text token by token: every call has to be one that is known, every assignment one to a variable of the
// function. Of the variables those are carried from pass to pass that count, that come of themselves, or that are
// assigned under a condition.
#include "translate/lock_step/idle_loops.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "translate/text/statements.hpp"

namespace warpfiber::translate {
namespace {

using WordSet = std::unordered_set<std::string_view>;

const WordSet kPauses = {"__nanosleep", "__threadfence", "__threadfence_block", "__threadfence_system",
                         "__syncwarp",  "__syncthreads", "atomic_thread_fence", "atomic_signal_fence"};
const WordSet kPure = {"min",         "max",        "__popc",           "__ffs",     "__clz",
                       "static_cast", "const_cast", "reinterpret_cast", "atomic_ref"};
const WordSet kReads = {"load",
                        "test",
                        "exchange",
                        "fetch_add",
                        "fetch_or",
                        "fetch_and",
                        "fetch_max",
                        "fetch_min",
                        "compare_exchange_weak",
                        "compare_exchange_strong",
                        "__ldcg",
                        "__ldcv",
                        "__ldlu",
                        "__ldca"};
// What a thread gets there comes of what all say who meet. Members of groups as well.
const WordSet kMeetings = {"__all_sync",        "__any_sync",         "__ballot_sync",     "__uni_sync",
                           "__shfl_sync",       "__shfl_up_sync",     "__shfl_down_sync",  "__shfl_xor_sync",
                           "__reduce_add_sync", "__reduce_min_sync",  "__reduce_max_sync", "__reduce_and_sync",
                           "__reduce_or_sync",  "__reduce_xor_sync",  "__syncthreads_or",  "__syncthreads_and",
                           "__match_any_sync",  "__syncthreads_count"};
const WordSet kMeetingsOfGroups = {"any", "all", "ballot", "shfl", "shfl_up", "shfl_down", "shfl_xor", "sync"};
const WordSet kClocks = {"clock", "clock64", "globaltimer"};
const WordSet kLeaving = {"break", "return", "goto", "throw", "continue", "new", "delete", "switch", "try", "co_await"};

bool is_read_by_name(std::string_view name) {
  return kReads.contains(name) || (name.starts_with("atomic") && name.size() > 6 && name[6] >= 'A' && name[6] <= 'Z');
}

/// `"ld.` and the like: what the instruction of the asm statement at `i` begins with.
bool is_asm_with(const Tokens& tokens, std::size_t i, std::span<const std::string_view> beginnings) {
  if (!tokens.is(i, "asm") && !tokens.is(i, "__asm__")) return false;
  while (tokens.is(i + 1, "volatile") || tokens.is(i + 1, "__volatile__")) ++i;
  if (!tokens.is(i + 1, '(')) return false;
  const std::string_view text = tokens.text(i + 2);
  return std::ranges::any_of(beginnings, [text](std::string_view one) { return text.starts_with(one); });
}

constexpr std::string_view kLoads[] = {"\"ld."};
constexpr std::string_view kPausesOfPtx[] = {"\"nanosleep", "\"membar", "\"fence"};

/// Whether `i` names a call at which threads meet.
bool is_meeting(const Tokens& tokens, const LocalVariables& locals, std::size_t i) {
  const bool is_members = tokens.is(i - 1, '.') && kMeetingsOfGroups.contains(tokens.text(i)) && locals.is_group(i - 2);
  return is_members || kMeetings.contains(tokens.text(i));
}

bool is_type_word(const Tokens& tokens, std::size_t i) {
  return is_builtin_type(tokens, i) || (tokens.is_identifier(i) && tokens.text(i).ends_with("_t"));
}

class IdlePass {
 public:
  IdlePass(const Tokens& tokens, LocalVariables& locals) : t_(tokens), locals_(locals) {}

  bool read(TokenRange text, bool is_test) {
    for (std::size_t i = text.begin; i < text.end;) {
      const std::size_t next = step(i, text, is_test);
      if (next == kNone) return false;
      i = next;
    }
    return true;
  }

  /// Whether none of `tests` asks for what differs from pass to pass, and nothing of it is said to other threads.
  bool is_unmoved(std::span<const TokenRange> tests) {
    close_carried();
    const auto is_still = [this](TokenRange text) {
      for (std::size_t i = text.begin; i < text.end; ++i) {
        if (t_.is_identifier(i) && (carried_.contains(t_.text(i)) || kClocks.contains(t_.text(i)))) return false;
      }
      return true;
    };
    return std::ranges::all_of(tests, is_still) && std::ranges::all_of(said_, is_still);
  }

 private:
  struct Assigned {
    std::string_view name;
    TokenRange by;
  };

  /// Past what stands at `i`; kNone where it may do more than this class knows.
  std::size_t step(std::size_t i, TokenRange text, bool is_test) {
    if (t_.is(i, '[') && !is_subscript(i)) return kNone;  // a lambda, or an attribute
    if (t_.is(i, "++") || t_.is(i, "--")) return count(i) ? i + 1 : kNone;
    if (is_assignment(t_, i)) return assign(i, text, is_test) ? i + 1 : kNone;
    if (!t_.is_identifier(i)) return i + 1;
    if (kLeaving.contains(t_.text(i))) return kNone;
    if (t_.is(i, "asm") || t_.is(i, "__asm__")) return past_asm(i);
    const std::size_t arguments =
        t_.is(i + 1, '<') && angle_close(t_, i + 1) != kNone ? angle_close(t_, i + 1) + 1 : i + 1;
    if (!t_.is(arguments, '(')) return i + 1;
    if (is_meeting(t_, locals_, i)) {
      if (t_.match(arguments) == kNone) return kNone;
      said_.push_back({arguments, t_.match(arguments)});
      return i + 1;
    }
    return may_call(i) ? i + 1 : kNone;
  }

  bool is_subscript(std::size_t i) const { return t_.is_identifier(i - 1) || t_.is(i - 1, ')') || t_.is(i - 1, ']'); }

  bool may_call(std::size_t i) const {
    const std::string_view name = t_.text(i);
    const bool controls = name == "if" || name == "while" || name == "for" || name == "else";
    return controls || is_type_word(t_, i) || kPauses.contains(name) || kPure.contains(name) ||
           kClocks.contains(name) || is_read_by_name(name);
  }

  std::size_t past_asm(std::size_t i) {
    std::size_t open = i + 1;
    while (!t_.is(open, '(') && t_.is_identifier(open)) ++open;
    if (t_.match(open) == kNone) return kNone;
    const std::size_t end = t_.match(open) + 1;
    if (is_asm_with(t_, i, kPausesOfPtx)) return end;
    if (!is_asm_with(t_, i, kLoads)) return kNone;
    for (std::size_t at = open; at < end; ++at) {
      const bool is_output = t_.is(at, '(') && t_.text(at - 1).starts_with("\"=");
      if (is_output && (!locals_.are_plain(at + 1) || !t_.is(at + 2, ')'))) return kNone;
    }
    return end;
  }

  bool count(std::size_t i) {
    const bool before = t_.is_identifier(i + 1) && is_whole(i + 1) && locals_.are_plain(i + 1);
    const bool behind = !before && t_.is_identifier(i - 1) && is_whole(i - 1) && locals_.are_plain(i - 1);
    if (!before && !behind) return false;
    carried_.insert(t_.text(before ? i + 1 : i - 1));
    return true;
  }

  bool assign(std::size_t i, TokenRange text, bool is_test) {
    const std::size_t target = i - 1;
    if (!t_.is_identifier(target) || !is_whole(target) || !locals_.are_plain(target)) return false;
    const bool is_conditional = !is_test && is_nested(target, text);
    if (!t_.is(i, '=') || is_conditional) {
      carried_.insert(t_.text(target));
      return true;
    }
    std::size_t end = i + 1;
    while (end < text.end && !t_.is(end, ';') && !t_.is(end, ',') && !t_.is(end, ')')) end = after_group(t_, end);
    assigned_.push_back({t_.text(target), {i + 1, std::min(end, text.end)}});
    return true;
  }

  /// Whether `x` stands alone: no member, no element, nothing that is pointed at.
  bool is_whole(std::size_t i) const {
    const bool is_part = t_.is(i - 1, '.') || t_.is(i - 1, "->") || t_.is(i - 1, "::") || t_.is(i - 1, '*');
    const bool has_part = t_.is(i + 1, '.') || t_.is(i + 1, "->") || t_.is(i + 1, '[') || t_.is(i + 1, '(');
    return !is_part && !has_part;
  }

  /// In a block or a statement that something controls.
  bool is_nested(std::size_t i, TokenRange text) const {
    const std::size_t open = t_.opener(i);
    if (open != kNone && open >= text.begin) return true;
    std::size_t first = i;
    while (first > text.begin && !t_.is(first - 1, ';') && !t_.is(first - 1, '}') && !t_.is(first - 1, '{')) --first;
    return t_.is(first, "if") || t_.is(first, "else") || t_.is(first, "for") || t_.is(first, "while") ||
           t_.is(first, "do");
  }

  /// Those are not carried that come of nothing but memory and of each other, without a circle, and of no clock.
  void close_carried() {
    WordSet rooted;
    for (bool grows = true; grows;) {
      grows = false;
      for (const Assigned& one : assigned_) {
        if (!rooted.contains(one.name) && comes_of(one.name, rooted)) grows = rooted.insert(one.name).second;
      }
    }
    for (const Assigned& one : assigned_) {
      if (!rooted.contains(one.name)) carried_.insert(one.name);
    }
  }

  /// Whether all that is assigned to the variable comes of `rooted` and of what is assigned nothing.
  bool comes_of(std::string_view name, const WordSet& rooted) const {
    if (carried_.contains(name)) return false;
    const auto is_moved = [&](std::size_t i) {
      const std::string_view other = t_.text(i);
      if (carried_.contains(other) || kClocks.contains(other)) return true;
      return !rooted.contains(other) && std::ranges::find(assigned_, other, &Assigned::name) != assigned_.end();
    };
    return std::ranges::all_of(assigned_, [&](const Assigned& one) {
      if (one.name != name) return true;
      for (std::size_t i = one.by.begin; i < one.by.end; ++i) {
        if (t_.is_identifier(i) && is_moved(i)) return false;
      }
      return true;
    });
  }

  const Tokens& t_;
  LocalVariables& locals_;
  WordSet carried_;
  std::vector<Assigned> assigned_;
  std::vector<TokenRange> said_;  // operands of meetings
};

}  // namespace

bool LocalVariables::are_plain(std::size_t i) {
  const std::string_view name = t_.text(i);
  const auto [known, is_new] = known_.try_emplace(name, false);
  if (!is_new) return known->second;
  bool any = false;
  for (std::size_t at = f_.begin; at < f_.body.end; ++at) {
    if (!t_.is_identifier(at) || !t_.is(at, name)) continue;
    if ((t_.is(at - 1, '&') || t_.is(at - 1, '*')) && is_type_word(t_, at - 2)) return false;
    if (!is_type_word(t_, at - 1) && !(t_.is(at - 1, ',') && follows_declarator(at))) continue;
    if (!is_plain_declaration(at)) return false;
    any = true;
  }
  return known_[name] = any;
}

bool LocalVariables::is_group(std::size_t i) const {
  if (!t_.is_identifier(i)) return false;
  const std::string_view name = t_.text(i);
  for (std::size_t at = f_.body.begin; at < i; ++at) {
    if (!t_.is(at, name) || !t_.is(at + 1, '=')) continue;
    for (std::size_t by = at + 2; by < f_.body.end && !t_.is(by, ';'); ++by) {
      if (t_.is(by, "tiled_partition") || t_.is(by, "this_thread_block")) return true;
    }
  }
  return false;
}

/// Whether the variable at `i` is another one of a declaration: `int a = 0, b = 0;`
bool LocalVariables::follows_declarator(std::size_t i) const {
  const std::size_t first = first_of_statement(i);
  return is_type_word(t_, first) || (is_cv(t_, first) && is_type_word(t_, first + 1));
}

std::size_t LocalVariables::first_of_statement(std::size_t i) const {
  while (i > f_.begin && !t_.is(i - 1, ';') && !t_.is(i - 1, '{') && !t_.is(i - 1, '}') && !t_.is(i - 1, '(')) --i;
  return i;
}

bool LocalVariables::is_plain_declaration(std::size_t i) const {
  if (t_.is(i + 1, '[')) return false;
  const bool is_parameter = i < f_.body.begin;
  for (std::size_t at = first_of_statement(i); at < i; ++at) {
    if (is_parameter && find_mark(t_, at, i, ',') != i) continue;  // of another one
    const bool is_special =
        t_[at].keyword == Keyword::shared || t_.is(at, "static") || t_.is(at, "extern") || t_.is(at, "volatile");
    if (is_special) return false;
  }
  return true;
}

bool asks_others(const Tokens& tokens, const LocalVariables& locals, TokenRange text) {
  for (std::size_t i = text.begin; i < text.end; ++i) {
    if (tokens.is_identifier(i) && is_meeting(tokens, locals, i)) return true;
  }
  return false;
}

bool reads_by_call(const Tokens& tokens, TokenRange text) {
  for (std::size_t i = text.begin; i < text.end; ++i) {
    if (!tokens.is_identifier(i)) continue;
    if (tokens.is(i + 1, '(') && is_read_by_name(tokens.text(i))) return true;
    if (is_asm_with(tokens, i, kLoads)) return true;
  }
  return false;
}

bool passes_are_idle(const Tokens& tokens, LocalVariables& locals, std::span<const TokenRange> tests,
                     std::span<const TokenRange> rest) {
  IdlePass pass(tokens, locals);
  for (const TokenRange& test : tests) {
    if (!pass.read(test, true)) return false;
  }
  for (const TokenRange& one : rest) {
    if (!pass.read(one, false)) return false;
  }
  return pass.is_unmoved(tests);
}

}  // namespace warpfiber::translate
