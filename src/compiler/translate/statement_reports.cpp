// SPDX-License-Identifier: Apache-2.0
//
// Calls that report each statement of device code to the runtime, for counters by line and for stepping. The call
// stands before the statement, and what controls a single statement gets a block for both. A loop reports in its
// condition, so once for each test of it. A line reports once for all that stands on it: the first statement of several
// does. Where lanes may part and come together again within one pass of a loop, its passes and its end report as well,
// and so do functions; in a function with `goto`, control may leave a loop without passing its end, so its loops do not
// report. Statements of constexpr functions, which
// compilers may execute, report nothing. In functions that read volatile memory no blocks are added: lock-step adds
// some of its own there (lock_step/steps.cpp), and which of two ends first matters.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "translate/passes.hpp"
#include "translate/text/statements.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

class StatementReports {
 public:
  StatementReports(TranslationUnit& program, TokenRange body)
      : p_(program),
        t_(program.tokens),
        body_(body),
        may_add_blocks_(!mentions_reread(program.tokens, body.begin, body.end)),
        has_goto_(mentions("goto", body)) {}

  /// `is_call`: the function is no kernel.
  void add(bool is_call) {
    const char* argument = is_call ? "true" : "false";
    put(p_.end_of(body_.begin), std::string(" ::warpfiber::cuda::Reports warpfiber_reports(") + argument + ");");
    list(body_.begin + 1, body_.end - 1);
    while (!work_.empty()) {
      const Part part = work_.back();
      work_.pop_back();
      part.is_alone ? alone(part) : first_of(part.begin, part.end);
    }
    // What begins last ends first.
    for (auto end = ends_.rbegin(); end != ends_.rend(); ++end) {
      p_.edits.insert(end->first, std::move(end->second), kLayerReportsEnd);
      p_.keep_columns(end->first);
    }
  }

 private:
  /// What is still to be looked at: statements, or the one that another controls. The last one is next in the text.
  struct Part {
    std::size_t begin = kNone;
    std::size_t end = kNone;
    bool is_alone = false;
    unsigned loop = 0;  // the loop whose passes report, and whose body begins here
  };

  bool mentions(std::string_view word, TokenRange range) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (t_.is(i, word)) return true;
    }
    return false;
  }

  void list(std::size_t begin, std::size_t end) { work_.push_back({begin, end, false}); }

  void first_of(std::size_t i, std::size_t end) {
    i = skip_labels(t_, i);
    if (i >= end || t_.is(i, '}')) return;
    const std::size_t behind = past_statement(t_, i);
    if (behind < end) list(behind, end);
    if (executes(i, behind) && begins_line(i)) put(p_.end_of(i - 1), report(i));  // before a #pragma of a loop
    inside(i, behind);
  }

  /// The statement that another one controls.
  void alone(const Part& part) {
    const std::size_t i = part.begin;
    const std::size_t first = skip_attributes(t_, i);
    const std::size_t behind = past_statement(t_, first);
    const std::string pass = part.loop != 0 ? " warpfiber_reports.loop_pass(" + std::to_string(part.loop) + ");" : "";
    if (t_.is(first, '{')) {
      if (!pass.empty()) put(p_.end_of(first), pass);
    } else if (may_add_blocks_) {
      const bool reports = executes(first, behind) && begins_line(first);
      const std::string text = pass + (reports ? report(first) : "");
      const bool has_end = read_compound(t_, first).kind == CompoundKind::loop;  // of its own, in the same block
      if (has_end || !text.empty()) {
        put(p_.end_of(i - 1), " {" + text);
        ends_.emplace_back(p_.end_of(behind - 1), " }");
      }
    }
    inside(first, behind);
  }

  /// The statements in the one at `i`, and the condition of a loop.
  void inside(std::size_t i, std::size_t behind) {
    i = skip_attributes(t_, i);
    if (t_.is(i, '{')) return list(i + 1, behind - 1);
    const Compound compound = read_compound(t_, i);
    if (compound.kind == CompoundKind::none || compound.body == kNone) return;
    unsigned loop = 0;
    if (compound.kind == CompoundKind::loop && !compound.is_once && may_part(compound)) {
      loop = ++loops_;
      if (can_end(i, compound, behind))
        ends_.emplace_back(p_.end_of(behind - 1), " warpfiber_reports.loop_end(" + std::to_string(loop) + ");");
    }
    if (t_.is(i, "do")) {
      const bool has_line = !compound.is_once && line_of(compound.condition.begin) != line_of(i);
      if (has_line) report_in(compound.condition, compound.condition.begin);
    } else if (compound.kind == CompoundKind::loop) {
      const TokenRange test = test_of(i, compound);
      if (!test.empty() && begins_line(i)) report_in(test, i);
    }
    if (compound.otherwise != kNone) work_.push_back({compound.otherwise, kNone, true});
    work_.push_back({compound.body, kNone, true, loop});
  }

  /// Nothing comes behind a loop that only a return leaves, and compilers would warn of it.
  bool can_end(std::size_t i, const Compound& loop, std::size_t behind) const {
    if (is_over_range(i, loop)) return true;
    const TokenRange test = condition_of(i, loop);
    const bool is_constant = test.end == test.begin + 1 && (t_.is(test.begin, "true") || t_.is(test.begin, "1"));
    if (!is_constant && !test.empty()) return true;
    return mentions("break", {loop.body, behind});
  }

  /// Whether lanes in one pass of the loop may execute different statements of it, or of functions that it calls.
  bool may_part(const Compound& loop) const {
    if (has_goto_ || !may_add_blocks_) return false;
    const std::size_t end = past_statement(t_, skip_attributes(t_, loop.body));
    return may_part(loop.condition) || may_part({loop.body, end});
  }
  bool may_part(TokenRange range) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const bool parts =
          t_.is(i, '?') || t_.is(i, "&&") || t_.is(i, "||") || (t_.is_identifier(i) && t_.is(i + 1, '('));
      if (parts || read_compound(t_, i).kind != CompoundKind::none) return true;
    }
    return false;
  }

  bool is_over_range(std::size_t i, const Compound& loop) const {
    return t_.is(i, "for") && find_mark(t_, loop.condition.begin, loop.condition.end, ';') == loop.condition.end;
  }

  /// What a loop asks before each pass; empty for one without end.
  TokenRange condition_of(std::size_t i, const Compound& loop) const {
    if (!t_.is(i, "for")) return loop.condition;
    const std::size_t initialised = find_mark(t_, loop.condition.begin, loop.condition.end, ';');
    return {initialised + 1, find_mark(t_, initialised + 1, loop.condition.end, ';')};
  }

  /// The same, where a call can stand before it.
  TokenRange test_of(std::size_t i, const Compound& loop) const {
    if (is_over_range(i, loop)) return {};
    const TokenRange test = condition_of(i, loop);
    return declares(test) ? TokenRange{} : test;
  }

  void report_in(TokenRange condition, std::size_t line_at) {
    if (condition.empty() || declares(condition)) return;
    p_.edits.insert(p_.begin_of(condition.begin), call(line_at) + ", ", kLayerReportsInCondition);
    p_.keep_columns(p_.begin_of(condition.begin));
  }

  /// Whether the condition declares a variable, `int x = f()`.
  bool declares(TokenRange condition) const {
    const std::size_t value = find_mark(t_, condition.begin, condition.end, '=');
    const bool has_type = value != condition.end && value > condition.begin + 1 && t_.is_identifier(value - 1);
    return has_type && (is_builtin_type(t_, condition.begin) || is_cv(t_, condition.begin) ||
                        t_.is_identifier(value - 2) || t_.is(value - 2, '*') || t_.is(value - 2, '&'));
  }

  /// Declarations of types and of what has no value yet, and shared variables, are no statements that a thread
  /// executes. A loop whose condition reports does so itself.
  bool executes(std::size_t i, std::size_t behind) const {
    static constexpr std::string_view kDeclares[] = {"using", "typedef", "static_assert", "struct", "class",
                                                     "union", "enum",    "template",      "extern", "static"};
    i = skip_attributes(t_, i);
    if (t_.is(i, ';') || t_.is(i, '{') || t_.is(i, "do")) return false;
    if (std::ranges::find(kDeclares, t_.text(i)) != std::end(kDeclares)) return false;
    const Compound compound = read_compound(t_, i);
    if (compound.kind == CompoundKind::loop) return test_of(i, compound).empty();
    if (compound.kind != CompoundKind::none) return true;
    return does_something(i, behind);
  }

  /// A declaration without a value does nothing.
  bool does_something(std::size_t i, std::size_t behind) const {
    static constexpr std::string_view kLeaves[] = {"return", "break", "continue", "goto", "throw", "delete", "asm"};
    bool does = std::ranges::find(kLeaves, t_.text(i)) != std::end(kLeaves);
    for (; i < behind; ++i) {
      if (t_[i].keyword == Keyword::shared) return false;
      does |= t_.is(i, '(') || t_.is(i, '{') || t_.is(i, "++") || t_.is(i, "--") || is_assignment(t_, i);
    }
    return does;
  }

  /// Whether no statement before it on its line has reported.
  bool begins_line(std::size_t i) {
    const Position at = locate(t_, p_.begin_of(i));
    if (at.system) return false;
    return std::exchange(last_line_, at.line) != at.line;
  }

  void put(std::size_t offset, std::string text) {
    p_.edits.insert(offset, std::move(text), kLayerReports);
    p_.keep_columns(offset);
  }

  std::string report(std::size_t i) const { return " " + call(i) + ";"; }
  std::string call(std::size_t i) const { return "warpfiber_reports.statement(" + std::to_string(line_of(i)) + ")"; }
  unsigned line_of(std::size_t i) const { return locate(t_, p_.begin_of(i)).line; }

  TranslationUnit& p_;
  const Tokens& t_;
  const TokenRange body_;
  const bool may_add_blocks_;
  const bool has_goto_;
  std::vector<Part> work_;
  std::vector<std::pair<std::size_t, std::string>> ends_;  // where blocks that are added end, and loops
  unsigned loops_ = 0;
  unsigned last_line_ = 0;
};

}  // namespace

void report_statements(TranslationUnit& program) {
  if (!program.options.statements) return;
  for (const Function& function : program.outline.functions) {
    if (!function.qualifiers.on_device() || function.body.empty() || function.is_constexpr) continue;
    StatementReports(program, function.body).add(!function.qualifiers.has(Keyword::global));
  }
  for (const std::size_t word : program.tokens.keywords()) {
    const TokenRange body = device_lambda(program.tokens, word).body;
    if (!body.empty() && !cover(program.device_functions, body.begin)) StatementReports(program, body).add(true);
  }
}

}  // namespace warpfiber::translate
