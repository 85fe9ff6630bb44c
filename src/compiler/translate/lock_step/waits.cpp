// SPDX-License-Identifier: Apache-2.0
//
// Loops that wait for a volatile word to change and do nothing meanwhile, or count: `while (flag[b] != goal);`. Each
// pass through such a loop is a poll, after a few of which the thread lets others run. A loop that calls nothing would
// go on until the clock takes its turn away. Who polls so often without end is reported as a livelock, so loops that
// also work, or search, only say that they look (cuda/lock_step.hpp, looked()): others have their turn, and nothing
// follows from it. Loops over a range of numbers end by themselves and stay as they are. Of loops that pause and count
// (idle_loops.hpp) each pass says that it has changed nothing, those that poll by atomics too.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "translate/lock_step/idle_loops.hpp"
#include "translate/lock_step/lock_step.hpp"
#include "translate/text/statements.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::string_view kWaits = "::warpfiber::cuda::waits(static_cast<bool>(";
constexpr std::string_view kLooked = "::warpfiber::cuda::looked()";
constexpr std::string_view kPolled = "::warpfiber::cuda::polled(";
constexpr std::string_view kIdles = "::warpfiber::cuda::idles(static_cast<bool>(";
constexpr std::string_view kIdled = "::warpfiber::cuda::idled(static_cast<bool>(";
constexpr std::string_view kPasses = " ::warpfiber::cuda::passes(); ";
constexpr std::string_view kLeaves = " ::warpfiber::cuda::leaves(); ";
// In checked programs: which reads are those of a loop that waits.
constexpr std::string_view kComes = "(::warpfiber::cuda::comes_to_wait(), ";
constexpr std::string_view kComesFirst = "::warpfiber::cuda::comes_to_wait(); ";
constexpr std::string_view kStillWaits = "::warpfiber::cuda::still_waits(static_cast<bool>(";
constexpr std::string_view kIdle[] = {"__nanosleep", "__threadfence", "__threadfence_block", "__threadfence_system",
                                      "__syncwarp"};
constexpr std::string_view kWaited = "::warpfiber::cuda::waited(static_cast<bool>(";

class Polls {
 public:
  Polls(TranslationUnit& program, const Function& function, const std::vector<VolatileAccess>& accesses,
        const VolatileFunctions& readers, IdleCalls& calls)
      : p_(program),
        t_(program.tokens),
        f_(function),
        accesses_(accesses),
        readers_(readers),
        calls_(calls),
        locals_(program.tokens, function) {}

  void rewrite() {
    for (std::size_t i = f_.body.begin; i < f_.body.end; ++i) {
      const bool begins = t_.is(i, "do") || ((t_.is(i, "while") || t_.is(i, "for")) && !closes_do(i));
      if (!begins) continue;
      const Compound loop = read_compound(t_, i);
      if (rewrite(loop, i)) note_reads({i, past_statement(t_, i)});
    }
  }

 private:
  /// A loop that is left at one place: when, and what else it does.
  struct Passes {
    TokenRange test;
    std::vector<TokenRange> rest;
    bool is_inside = false;  // the test is that of `if (c) break;`
  };

  /// Whether the loop waits, or looks at least.
  bool rewrite(const Compound& loop, std::size_t begin) {
    if (rewrite_idle(loop, begin)) return true;
    if (t_.is(begin, "do") ? rewrite_do_while(loop) : rewrite_while(loop)) return true;
    const bool looks = loop.kind == CompoundKind::loop && !loop.is_once && work(loop);
    if (p_.options.checked) mark(loop);
    return looks;
  }

  /// Which words the loop at `range` reads, in case that it waits in vain. Checked programs report every access.
  void note_reads(TokenRange range) {
    if (p_.options.checked) return;
    const auto begin_of = [](const VolatileAccess& access) { return access.element.begin; };
    auto access = std::ranges::lower_bound(accesses_, std::max(range.begin, noted_to_), {}, begin_of);
    for (; access != accesses_.end() && access->element.end <= range.end; ++access) {
      // In `*p++` it is the pointer that is counted on.
      if (!access->is_read || counts(access->element.end) || may_be_bit_field(access->element)) continue;
      if (is_stored(access->name, range)) continue;
      p_.edits.insert(p_.begin_of(access->element.begin), std::string(kPolled));
      p_.edits.insert(p_.end_of(access->element.end - 1), ")");
    }
    noted_to_ = std::max(noted_to_, range.end);
  }

  /// Whether the loop stores to the memory as well, which is then exchanged rather than waited for.
  bool is_stored(std::string_view name, TokenRange range) const {
    return std::ranges::any_of(accesses_, [&](const VolatileAccess& access) {
      return access.store != kNone && access.name == name && access.element.begin >= range.begin &&
             access.element.end <= range.end;
    });
  }

  /// A reference to one is none to its memory: a member of a name that is declared with a width somewhere.
  bool may_be_bit_field(TokenRange element) const {
    const std::size_t name = element.end - 1;
    if (!t_.is_identifier(name) || !(t_.is(name - 1, '.') || t_.is(name - 1, "->") || name == element.begin))
      return false;
    for (std::size_t i = 0; i + 1 < t_.size(); ++i) {
      if (t_.is_identifier(i) && t_.is(i + 1, ':') && t_.text(i) == t_.text(name)) return true;
    }
    return false;
  }

  /// `while (flag == 0) { __nanosleep(ns); ns *= 2; }`, `for (int tries = 0; flag == 0; ++tries);`
  bool rewrite_idle(const Compound& loop, std::size_t begin) {
    if (loop.kind != CompoundKind::loop || loop.is_once) return false;
    const TokenRange head = loop.condition;
    const std::size_t first = find_mark(t_, head.begin, head.end, ';');
    if (t_.is(begin, "for") && first == head.end) return false;
    const TokenRange condition = condition_of(loop);
    const TokenRange whole{begin, past_statement(t_, begin)};
    LoopParts parts{.condition = is_for_ever(condition) ? TokenRange{} : condition,
                    .step = {std::min(condition.end + 1, head.end), head.end},
                    .body = {loop.body, past_statement(t_, loop.body)}};
    const IdleLoop found = read_idle_loop(p_, locals_, calls_, parts);
    const auto is_read_in = [this](TokenRange text) { return reads(text) || reads_by_call(t_, text); };
    const bool looks = found.reads || is_read_in(whole) || std::ranges::any_of(found.lambdas, is_read_in);
    if (!found.is_idle || !looks) return false;
    const bool declares = find_mark(t_, parts.condition.begin, parts.condition.end, '=') != parts.condition.end;
    if (declares) return false;
    const Passes passes = passes_of(loop);
    const std::size_t exits = passes.is_inside ? 1 : 0;
    const bool has_one_test = !passes.test.empty() && found.exits.size() == exits;
    if (!has_one_test || (passes.is_inside && !found.continues.empty())) return mark_passes(found, parts);
    if (passes.rest.empty() && !found.asks_more) return false;
    if (passes.rest.size() == 1 && is_look(passes.rest.front())) return false;
    return wrap(passes.test, passes.is_inside ? kIdled : kIdles);
  }

  /// A loop that is left at several places, or by `return`.
  bool mark_passes(const IdleLoop& found, const LoopParts& loop) {
    for (const IdleExit& one : found.exits) {
      if (t_.is(one.statement.begin, '{')) {
        p_.edits.insert(p_.end_of(one.statement.begin), std::string(kLeaves));
      } else {
        put_before(one.statement, kLeaves);
      }
    }
    if (!loop.condition.empty()) return wrap(loop.condition, kIdles);
    for (const std::size_t one : found.continues) put_before({one, past_statement(t_, one)}, kPasses);
    if (t_.is(loop.body.begin, '{')) {
      p_.edits.insert(p_.begin_of(loop.body.end - 1), std::string(kPasses));
    } else {
      p_.edits.insert(p_.begin_of(loop.body.begin), "{ ");
      p_.edits.insert(p_.end_of(loop.body.end - 1), std::string(kPasses) + "}");
    }
    return true;
  }

  void put_before(TokenRange statement, std::string_view what) {
    p_.edits.insert(p_.begin_of(statement.begin), "{" + std::string(what));
    p_.edits.insert(p_.end_of(statement.end - 1), " }");
  }

  Passes passes_of(const Compound& loop) const {
    Passes passes;
    const TokenRange condition = condition_of(loop);
    if (condition.end + 1 < loop.condition.end) passes.rest.push_back({condition.end + 1, loop.condition.end});
    const TokenRange inside = within(loop.body);
    if (inside.end == kNone) return {};
    passes.is_inside = is_for_ever(condition);
    if (!passes.is_inside) passes.test = condition;
    for (std::size_t i = inside.begin; i < inside.end;) {
      const std::size_t next = std::min(past_statement(t_, i), inside.end);
      const Compound test = read_compound(t_, i);
      if (passes.test.empty() && only_leaves(test, {i, next})) {
        passes.test = test.condition;
      } else if (!t_.is(i, ';')) {
        passes.rest.push_back({i, next});
      }
      i = next;
    }
    return passes;
  }

  /// `while (c) ;`, `for (; c;) { }`, `while (c) ++looks;`, `while (true) { if (c) break; }`
  bool rewrite_while(const Compound& loop) {
    if (loop.kind != CompoundKind::loop) return false;
    const TokenRange condition = is_for_without_step(loop.condition)
                                     ? TokenRange{loop.condition.begin + 1, loop.condition.end - 1}
                                     : loop.condition;
    const TokenRange inside = within(loop.body);
    if (inside.end == kNone) return false;
    if (is_for_ever(condition)) {
      const Compound test = read_compound(t_, inside.begin);
      return only_leaves(test, inside) && ask(test.condition, kWaited);
    }
    return does_nothing(inside) && ask(condition, kWaits);
  }

  /// `do { } while (c);`, `do { x = flag; } while (x != goal);`
  bool rewrite_do_while(const Compound& loop) {
    if (loop.condition.empty() || !t_.is(loop.body, '{') || t_.match(loop.body) == kNone) return false;
    const TokenRange inside = within(loop.body);
    if (is_look(inside)) {
      if (p_.options.checked) p_.edits.insert(p_.begin_of(inside.begin), std::string(kComesFirst));
      return wrap(loop.condition, kWaits, "");
    }
    return does_nothing(inside) && ask(loop.condition, kWaits);
  }

  /// `while (flag[b] != goal) __nanosleep(20);`: it works as far as turns are concerned, and waits for all that.
  void mark(const Compound& loop) {
    const TokenRange inside = within(loop.body);
    if (loop.condition.empty() || inside.end == kNone || !is_idle(inside)) return;
    if (looks(loop.condition) && !changes_a_variable(loop.condition)) wrap(loop.condition, kStillWaits);
  }

  /// `__nanosleep(20); __threadfence();`
  bool is_idle(TokenRange inside) const {
    for (std::size_t i = inside.begin; i < inside.end; ++i) {
      if (t_.is(i, ';')) continue;
      const bool calls = std::ranges::find(kIdle, t_.text(i)) != std::end(kIdle) && t_.is(i + 1, '(');
      if (!calls || t_.match(i + 1) == kNone) return false;
      i = t_.match(i + 1);
    }
    return true;
  }

  /// `while (!done) { done = flag[b] != 0; work(); }`
  bool work(const Compound& loop) {
    const TokenRange inside = within(loop.body);
    if (inside.end == kNone || is_over_range(loop.condition)) return false;
    if (!looks(loop.condition) && !looks(inside)) return false;
    const TokenRange condition = condition_of(loop);
    // What begins a declaration cannot follow a comma.
    const bool is_asked =
        !is_for_ever(condition) && find_mark(t_, condition.begin, condition.end, '=') == condition.end;
    if (is_asked) {
      p_.edits.insert(p_.begin_of(condition.begin), std::string(kLooked) + ", ");
    } else if (t_.is(loop.body, '{')) {
      p_.edits.insert(p_.end_of(loop.body), std::string(kLooked) + ";");
    } else {
      p_.edits.insert(p_.begin_of(inside.begin), "{ " + std::string(kLooked) + "; ");
      p_.edits.insert(p_.end_of(inside.end - 1), " }");
    }
    return true;
  }

  /// What decides whether a pass follows: all that is between the parentheses, but for the parts of a `for`.
  TokenRange condition_of(const Compound& loop) const {
    const TokenRange head = loop.condition;
    const std::size_t first = find_mark(t_, head.begin, head.end, ';');
    return first == head.end ? head : TokenRange{first + 1, find_mark(t_, first + 1, head.end, ';')};
  }

  /// Whether `range` reads memory that may have changed, or calls a function that does.
  bool looks(TokenRange range) const {
    if (reads(range)) return true;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (readers_.is_call(t_, i)) return true;
    }
    return false;
  }

  /// `int i = 0; i < n; ++i` or `T x : all`; not `int tries = 0; flag[b] < x; ++tries`.
  bool is_over_range(TokenRange head) const {
    const std::size_t first = find_mark(t_, head.begin, head.end, ';');
    if (first == head.end) return find_mark(t_, head.begin, head.end, ':') != head.end;
    const std::size_t second = find_mark(t_, first + 1, head.end, ';');
    if (second >= head.end - 1 || looks({first + 1, head.end})) return false;
    for (std::size_t i = first + 1; i < second; ++i) {
      if (t_.is(i, '<') || t_.is(i, '>') || t_.is(i, "<=") || t_.is(i, ">=") || t_.is(i, "!=")) return true;
    }
    return false;
  }

  /// The statement at `i`, or what is between its braces.
  TokenRange within(std::size_t i) const {
    return t_.is(i, '{') ? TokenRange{i + 1, t_.match(i)} : TokenRange{i, past_statement(t_, i)};
  }

  bool ask(TokenRange condition, std::string_view call) {
    return reads(condition) && !changes_a_variable(condition) && !may_change_by_call(condition) &&
           wrap(condition, call);
  }

  /// Whether a function of the program may count, or do more, each time that it is asked.
  bool may_change_by_call(TokenRange condition) {
    for (std::size_t i = condition.begin; i < condition.end; ++i) {
      if (t_.is_identifier(i) && t_.is(i + 1, '(') && calls_.may_change(i)) return true;
    }
    return false;
  }

  bool wrap(TokenRange condition, std::string_view call) {
    return wrap(condition, call, p_.options.checked ? kComes : "");
  }

  bool wrap(TokenRange condition, std::string_view call, std::string_view first) {
    p_.edits.insert(p_.begin_of(condition.begin), std::string(first) + std::string(call));
    p_.edits.insert(p_.end_of(condition.end - 1), first.empty() ? "))" : ")))");
    return true;
  }

  /// Nothing, `;`, `++n;` or `n++;`
  bool does_nothing(TokenRange inside) const {
    if (inside.empty() || t_.is(inside.begin, ';')) return inside.end <= inside.begin + 1;
    const bool before = counts(inside.begin) && t_.is_identifier(inside.begin + 1);
    const bool behind = t_.is_identifier(inside.begin) && counts(inside.begin + 1);
    return (before || behind) && t_.is(inside.begin + 2, ';') && inside.end == inside.begin + 3;
  }
  bool counts(std::size_t i) const { return t_.is(i, "++") || t_.is(i, "--"); }

  /// `x = flag;` and nothing else.
  bool is_look(TokenRange inside) const {
    const bool assigns = t_.is_identifier(inside.begin) && t_.is(inside.begin + 1, '=');
    return assigns && past_statement(t_, inside.begin) == inside.end && reads({inside.begin + 2, inside.end});
  }

  /// `if (flag == goal) break;` and nothing else.
  bool only_leaves(const Compound& test, TokenRange inside) const {
    if (test.kind != CompoundKind::branch || test.otherwise != kNone) return false;
    const TokenRange then = within(test.body);
    return t_.is(then.begin, "break") && then.end == then.begin + 2 && past_statement(t_, inside.begin) == inside.end;
  }

  /// Between the parentheses of `for (; c;)`.
  bool is_for_without_step(TokenRange head) const {
    return t_.is(head.begin, ';') && head.end > head.begin + 1 && t_.is(head.end - 1, ';');
  }

  /// `true`, `1`, or nothing
  bool is_for_ever(TokenRange condition) const {
    if (condition.empty()) return true;
    return condition.end == condition.begin + 1 && (t_.is(condition.begin, "true") || t_.is(condition.begin, "1"));
  }

  /// A search, a count or a declaration: `while (v[++i] != x);`, `while (int x = *v);`
  bool changes_a_variable(TokenRange condition) const {
    for (std::size_t i = condition.begin; i < condition.end; ++i) {
      if (counts(i) || t_.is(i, ';') || (is_assignment(t_, i) && !t_.is(i, '='))) return true;
    }
    return find_mark(t_, condition.begin, condition.end, '=') != condition.end;
  }

  /// Whether memory is read that may have changed.
  bool reads(TokenRange range) const {
    if (mentions_reread(t_, range.begin, range.end)) return true;
    const auto begin_of = [](const VolatileAccess& access) { return access.element.begin; };
    auto access = std::ranges::lower_bound(accesses_, range.begin, {}, begin_of);
    for (; access != accesses_.end() && access->element.begin < range.end; ++access) {
      if (access->is_read && access->element.end <= range.end) return true;
    }
    return false;
  }

  /// Whether the `while` at `i` ends a loop that `do` began.
  bool closes_do(std::size_t i) const {
    if (t_.is(i, "for") || !t_.is(i - 1, '}') || t_.match(i - 1) == kNone) return false;
    return t_.is(t_.match(i - 1) - 1, "do");
  }

  TranslationUnit& p_;
  const Tokens& t_;
  const Function& f_;
  const std::vector<VolatileAccess>& accesses_;
  const VolatileFunctions& readers_;
  IdleCalls& calls_;
  LocalVariables locals_;
  std::size_t noted_to_ = 0;  // reads before this token are noted already
};

}  // namespace

void add_polls(TranslationUnit& program, const Function& function, const std::vector<VolatileAccess>& accesses,
               const VolatileFunctions& readers, IdleCalls& calls) {
  Polls(program, function, accesses, readers, calls).rewrite();
}

}  // namespace warpfiber::translate
