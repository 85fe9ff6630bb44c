// SPDX-License-Identifier: Apache-2.0
//
// Holds the findings of the process under one mutex, with the counts of launches and the file. Lines and fixes are
// looked up when a finding enters, by report.
#include "process/findings/findings_log.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "base/forking.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "base/text.hpp"
#include "process/findings/held_error.hpp"
#include "process/findings/result_use.hpp"
#include "process/findings/same_defect.hpp"
#include "process/findings/test_errors.hpp"
#include "process/process_state.hpp"
#include "process/reporter.hpp"
#include "process/settings/checking.hpp"
#include "process/settings/reporting.hpp"
#include "record/reason.hpp"
#include "report/catalogue/catalogue.hpp"
#include "report/explain/explain.hpp"
#include "report/fixes/fix.hpp"
#include "report/locate.hpp"
#include "report/source_text.hpp"
#include "report/text.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::process {
namespace {

using record::ReasonKind;

constexpr std::size_t kPrinted = 50;  // kinds of findings that are printed
constexpr std::size_t kKept = 1000;   // kinds that are kept and written
constexpr std::size_t kMostKinds = 16 * kKept;
constexpr std::size_t kWrittenEach = 100;  // kinds after each of which the file is written; beyond, after as many more

bool judges_accesses() {
  return ProcessState::of_process().judges_accesses.load() && check_settings().check != Check::off;
}

}  // namespace

class FindingsLog {
 public:
  /// Prints `line` instead of the report where there is one.
  std::string add(record::Finding finding, const std::string& line) {
    const base::Lock lock(mutex_);
    complete(std::span(&finding, 1));
    return keep(std::move(finding), line, std::nullopt);
  }

  /// The report of the last.
  std::string add(std::vector<record::Finding> findings) {
    const base::Lock lock(mutex_);
    std::string text;
    for (record::Finding& finding : findings) look_up(finding);
    leave_out_explained(findings);
    merge_same(findings);
    report::explain_races(findings, sources_);
    report::fold_divergence(findings, sources_);
    report::fold_races(findings);
    for (record::Finding& finding : findings) {
      report::name_allocations(finding, sources_);
      text = keep(std::move(finding), {}, std::nullopt);
    }
    return text;
  }

  /// Prints nothing: settle() does.
  void hold(record::Finding finding, const HandledError& how) {
    const base::Lock lock(mutex_);
    end_naming_of(how.error);
    complete(std::span(&finding, 1));
    keep(std::move(finding), {}, how);
  }

  /// The program ends with this exit code.
  void settle(int exit_code) {
    const base::Lock lock(mutex_);
    decide_held(exit_code);
    for (const auto& [kind, report] : tests_.left()) {
      errors_.insert(kind);
      print_report("\n" + report + "\n\n");
    }
  }

  void begin_test(std::string suite, std::string name, bool runs_already) {
    const base::Lock lock(mutex_);
    if (!runs_already) decide_held(EXIT_SUCCESS);
    tests_.begin(std::move(suite), std::move(name), runs_already);
    if (runs_already) errors_.clear();
    for (std::size_t i = 0; runs_already && i < findings_.size(); ++i) tests_.found(i);
    changed(false);
  }

  std::size_t take_errors(bool has_failed) {
    const base::Lock lock(mutex_);
    decide_held(has_failed ? EXIT_FAILURE : EXIT_SUCCESS);
    return tests_.take();
  }

  const TestError* taken_error(std::size_t index) const {
    const base::Lock lock(mutex_);
    return tests_.taken(index);
  }

  void end_test(report::TestOutcome outcome) {
    const base::Lock lock(mutex_);
    tests_.end(outcome);
    changed(false);
  }

  void end_naming(Error error) {
    const base::Lock lock(mutex_);
    end_naming_of(error);
  }

  void count(std::uint64_t kinds) {
    const base::Lock lock(mutex_);
    coverage_.unlisted += kinds;
    changed(false);
  }

  void note_access_hooks() {
    const base::Lock lock(mutex_);
    coverage_.hooks = judges_accesses();
  }

  void count_launch() {
    const base::Lock lock(mutex_);
    changed(++coverage_.launches == 1);
  }

  void open_once() {
    std::call_once(opened_, [this] {
      const base::Lock lock(mutex_);
      changed(true);
    });
  }

  void close(int status) {
    const base::Lock lock(mutex_);
    closed_ = true;
    status_ = status;
    const std::size_t hidden = findings_.size() + coverage_.unlisted - std::min(findings_.size(), kPrinted);
    if (hidden != 0) {
      const record::Quantity kinds{hidden, "more kind"};
      if (report_settings().findings.empty()) print_line({ReasonKind::findings_not_printed, kinds});
      if (!report_settings().findings.empty()) print_line({ReasonKind::findings_in_file, kinds, file()});
    }
    if (behind_) write();
  }

  /// What the process is to end with, where that is not its own code. A program that says that it failed keeps that.
  std::optional<int> exit_code() {
    const base::Lock lock(mutex_);
    const bool has_failed = judges_at_end() ? !errors_.empty() : kernel_failure_is_ignored();
    if (status_ != 0 || getpid() != owner_ || !has_failed || report_settings().exit_code == 0) return std::nullopt;
    return report_settings().exit_code;
  }

  void collect(ErrorCollector& collector) {
    const base::Lock lock(mutex_);
    collectors_.push_back(&collector);
  }

  void leave_out(ErrorCollector& collector) {
    const base::Lock lock(mutex_);
    std::erase(collectors_, &collector);
  }

  /// The id and the report.
  std::pair<const char*, const char*> first(const ErrorCollector& collector) const {
    const base::Lock lock(mutex_);
    if (!collector.verdict_.has_value()) return {nullptr, nullptr};
    return {report::id_of(*collector.verdict_).data(), collector.report_.c_str()};
  }

  std::string document() {
    const base::Lock lock(mutex_);
    return report::render_json(findings_, sources_, coverage_);
  }

  std::optional<SharedStore> shared_store_in(std::uintptr_t address, std::uint64_t bytes) const {
    const base::Lock lock(mutex_);
    for (const record::Finding& known : findings_) {
      const bool is_benign = known.verdict == record::Verdict::benign_race;
      if (!is_benign && !(known.order.has_value() && known.order->both_write)) continue;
      if (!known.object.has_value() || known.object->name.empty() || !known.object->bytes.has_value()) continue;
      if (known.object->address - address < bytes) return SharedStore{known.object->name, known.object->bytes->size};
    }
    return std::nullopt;
  }

  /// A child made by fork() has what its parent allocated.
  bool is_of_this_process() const { return getpid() == owner_; }

  /// Says why the exit code is another than the program's; once.
  void explain(int exit_code) {
    const base::Lock lock(mutex_);
    if (std::exchange(explained_, true)) return;
    const record::Quantity errors{errors_.size(), "error"};
    const record::Reason failure = !judges_at_end()      ? record::Reason(ReasonKind::kernel_failure_ignored)
                                   : errors_.size() == 1 ? record::Reason(ReasonKind::error_found, errors)
                                                         : record::Reason(ReasonKind::errors_found, errors);
    print_line({ReasonKind::exit_code_changed, failure, exit_code});
  }

 private:
  using Kinds = std::map<FindingKind, std::size_t>;

  /// What is held, once the program or a test ends.
  void decide_held(int exit_code) WARPFIBER_REQUIRES(mutex_) {
    for (auto& [key, held] : held_) {
      const auto kind = kinds_.find(key);
      if (kind == kinds_.end() || kind->second >= findings_.size()) {
        if (held.counts && !held.is_handled(exit_code)) errors_.insert(key);  // it is not kept
        continue;
      }
      const record::Finding& finding = findings_[kind->second];
      if (!held.is_handled(exit_code)) {
        const std::string plain = report::render_text(finding, sources_);
        if (held.counts) count_error(key, finding, plain);
        if (reported_.insert(key).second) print(finding, plain, false);
      } else if (!reported_.contains(key)) {
        const record::Place& place = finding.parties.front().place;
        if (!held.how.is_answer) print_line({ReasonKind::error_checked, place.file, place.line, finding.why});
        remove(kind->second);
      }
    }
    held_.clear();
    for (record::Finding& finding : std::exchange(deferred_, {})) keep(std::move(finding), {}, std::nullopt);
  }

  void look_up(record::Finding& finding) WARPFIBER_REQUIRES(mutex_) {
    report::locate(finding);
    report::name_array(finding, sources_);
    report::name_outside_object(finding, sources_);
    report::explain(finding);
    report::explain_hang(finding, sources_);
    report::explain_loops(finding, sources_);
    report::explain_copy_wait(finding, sources_);
    // What explains a race looks for the names that the kernel has.
    if (!finding.order.has_value()) report::name_allocations(finding, sources_);
  }

  void complete(std::span<record::Finding> findings) WARPFIBER_REQUIRES(mutex_) {
    for (record::Finding& finding : findings) look_up(finding);
    report::explain_races(findings, sources_);
    for (record::Finding& finding : findings) report::name_allocations(finding, sources_);
  }

  void end_naming_of(Error error) WARPFIBER_REQUIRES(mutex_) {
    for (auto& [key, held] : held_) {
      if (held.how.error == error) held.end_naming();
    }
  }

  /// The program discards what a call returns if the call is a statement by itself.
  bool is_looked_at(const record::Finding& finding, const HandledError& how) WARPFIBER_REQUIRES(mutex_) {
    if (how.returned_by == nullptr) return false;
    const record::Place& place = finding.parties.front().place;
    return *how.returned_by == 0 || result_use(how.returned_by, place, sources_) != ResultUse::discarded;
  }

  void keep_unless_handled(const FindingKind& key, const record::Finding& finding, const HandledError& how)
      WARPFIBER_REQUIRES(mutex_) {
    HeldError& held = held_[key];
    held.begin(how, is_looked_at(finding, how));
    held.counts = finding.severity == record::Severity::error && collectors_.empty();
  }

  /// Whether `finding` is the consequence of a call that failed: then it is none of its own, unless the program turns
  /// out to handle that error, which settle() finds out.
  bool is_consequence(const record::Finding& finding) WARPFIBER_REQUIRES(mutex_) {
    bool may_be = false;
    for (const record::Finding& failed : findings_) {
      if (!is_left_unwritten_by(failed, finding)) continue;
      if (!held_.contains(kinds_of(failed).front())) return true;
      may_be = true;
    }
    if (may_be && deferred_.size() < kKept) deferred_.push_back(finding);
    return may_be;
  }

  /// `how`: has a value for what settle() prints, or forgets.
  std::string keep(record::Finding finding, const std::string& line, const std::optional<HandledError>& how)
      WARPFIBER_REQUIRES(mutex_) {
    std::string plain = report::render_text(finding, sources_);
    if (is_of_known_defect(finding, findings_) || is_of_pointer_arithmetic(finding, sources_)) return plain;
    if (is_consequence(finding)) return plain;
    if (report::is_suppressed(report_settings().suppressions, finding)) {
      ++coverage_.suppressed;
      changed(coverage_.suppressed == 1);
      return plain;
    }
    const auto [kind, fresh] = enter(kinds_of(finding));
    if (how.has_value()) keep_unless_handled(kind->first, finding, *how);
    const bool is_error = finding.severity == record::Severity::error;
    if (is_error && (!how.has_value() || !collectors_.empty())) count_error(kind->first, finding, plain);
    if (!fresh) {
      if (kind->second < findings_.size()) {
        findings_[kind->second].repeats += 1 + finding.repeats;
        tests_.found(kind->second);
      }
      changed(false);
      return plain;
    }
    if (findings_.size() == kKept) {
      forget(kind);
      return plain;
    }
    findings_.push_back(std::move(finding));
    tests_.found(findings_.size() - 1);
    // First: what was reported is in the file, however soon the process ends.
    changed(findings_.size() <= kWrittenEach || findings_.size() % kWrittenEach == 0);
    if (!how.has_value()) print(findings_.back(), line.empty() ? plain : line, !line.empty());
    return plain;
  }

  /// A finding is known where all of its kinds are. Gives the first of those that are not, else the first.
  std::pair<Kinds::iterator, bool> enter(const std::vector<FindingKind>& kinds) WARPFIBER_REQUIRES(mutex_) {
    std::pair<Kinds::iterator, bool> entered = kinds_.try_emplace(kinds.front(), findings_.size());
    for (const FindingKind& kind : std::span(kinds).subspan(1)) {
      const auto further = kinds_.try_emplace(kind, findings_.size());
      if (!entered.second && further.second) entered = further;
    }
    return entered;
  }

  void remove(std::size_t index) WARPFIBER_REQUIRES(mutex_) {
    findings_.erase(findings_.begin() + static_cast<std::ptrdiff_t>(index));
    tests_.remove(index);
    std::erase_if(kinds_, [index](const auto& kind) { return kind.second == index; });
    for (auto& kind : kinds_) kind.second -= kind.second > index ? 1 : 0;
    behind_ = true;
  }

  /// An error belongs to what collects errors, to the test that runs, or else to the process.
  void count_error(const FindingKind& kind, const record::Finding& finding, const std::string& report)
      WARPFIBER_REQUIRES(mutex_) {
    if (collectors_.empty()) {
      tests_.note(kind, finding, report);
      if (!tests_.is_running() && errors_.size() < kMostKinds) errors_.insert(kind);
      return;
    }
    ErrorCollector& collector = *collectors_.back();
    if (collector.verdict_.has_value()) return;
    collector.verdict_ = std::get<record::Verdict>(kind);
    collector.report_ = report;
  }

  /// Too many to keep: only how many kinds there were.
  void forget(Kinds::iterator kind) WARPFIBER_REQUIRES(mutex_) {
    ++coverage_.unlisted;
    // Bounded as well; beyond, a kind that comes twice counts twice.
    if (kinds_.size() > kMostKinds) kinds_.erase(kind);
    changed(false);
  }

  void print(const record::Finding& finding, const std::string& plain, bool as_it_is) WARPFIBER_REQUIRES(mutex_) {
    // The failure of the test will show the report, unless a signal ends the process before.
    if (tests_.is_running() && finding.severity == record::Severity::error && collectors_.empty()) {
      return print_line(tests_.line_of(finding, plain));
    }
    if (findings_.size() > kPrinted) return;
    if (as_it_is) return print_report(plain);
    report::TextStyle style;
    style.colour = report_settings().colour;
    const std::string text = style.colour ? report::render_text(finding, sources_, style) : plain;
    const std::string assertion =
        finding.verdict == record::Verdict::assert ? device_assertion(finding.parties.front()) : std::string();
    print_report(assertion + "\n" + text + "\n");
    const std::string why = symbols::why_without_libdw();
    if (!why.empty() && !std::exchange(told_of_libdw_, true)) print_line({ReasonKind::findings_without_lines, why});
  }

  /// `now`: worth writing at once. After the end of the process has begun everything is.
  void changed(bool now) WARPFIBER_REQUIRES(mutex_) {
    behind_ = true;
    if (now || closed_) write();
  }

  std::string file() const { return file_of_process(report_settings().findings, owner_); }

  /// A reader never sees half a file. A forked child keeps out of its parent's.
  void write() WARPFIBER_REQUIRES(mutex_) {
    const std::string path = file();
    behind_ = false;
    if (path.empty() || getpid() != owner_) return;
    const std::string why = base::write_output(path, report::render_json(findings_, sources_, coverage_));
    if (why.empty() || std::exchange(complained_, true)) return;
    print_line({ReasonKind::file_not_written, "WARPFIBER_FINDINGS", path, why});
  }

  mutable base::Mutex mutex_;
  bool told_of_libdw_ WARPFIBER_GUARDED_BY(mutex_) = false;
  const pid_t owner_ = getpid();
  report::SourceFiles sources_ WARPFIBER_GUARDED_BY(mutex_);
  std::vector<record::Finding> findings_ WARPFIBER_GUARDED_BY(mutex_);
  Kinds kinds_ WARPFIBER_GUARDED_BY(mutex_);  // to their places in findings_, or to a place beyond its end
  std::map<FindingKind, HeldError> held_ WARPFIBER_GUARDED_BY(mutex_);
  std::set<FindingKind> reported_ WARPFIBER_GUARDED_BY(mutex_);         // of those that were held
  std::vector<record::Finding> deferred_ WARPFIBER_GUARDED_BY(mutex_);  // consequences of what is held
  report::Coverage coverage_ WARPFIBER_GUARDED_BY(mutex_){.hooks = judges_accesses()};
  std::set<FindingKind> errors_ WARPFIBER_GUARDED_BY(mutex_);  // that no test judges
  std::vector<ErrorCollector*> collectors_ WARPFIBER_GUARDED_BY(mutex_);
  TestErrors tests_ WARPFIBER_GUARDED_BY(mutex_){coverage_};
  std::once_flag opened_;
  int status_ WARPFIBER_GUARDED_BY(mutex_) = 0;  // that the program ended with
  bool explained_ WARPFIBER_GUARDED_BY(mutex_) = false;
  bool behind_ WARPFIBER_GUARDED_BY(mutex_) = false;
  bool closed_ WARPFIBER_GUARDED_BY(mutex_) = false;
  bool complained_ WARPFIBER_GUARDED_BY(mutex_) = false;
};

namespace {

FindingsLog& log() {
  return ProcessState::of_process().findings.get([] {
    auto made = std::make_unique<FindingsLog>();
    ProcessState& state = ProcessState::of_process();
    void (*const prepare)() = state.at_first_log.load(std::memory_order_acquire);
    if (!state.log_was_made.exchange(true) && prepare != nullptr)
      prepare();  // after a reset the process has its handlers
    return made;
  });
}

}  // namespace

void prepare_at_first_log(void (*prepare)()) {
  ProcessState::of_process().at_first_log.store(prepare, std::memory_order_release);
}

std::string log_finding(record::Finding finding) {
  open_findings_log();
  return log().add(std::move(finding), {});
}

std::string log_findings(std::vector<record::Finding> findings) {
  if (findings.empty()) return {};
  open_findings_log();
  return log().add(std::move(findings));
}

void log_unless_handled(record::Finding finding, const HandledError& how) {
  open_findings_log();
  log().hold(std::move(finding), how);
}

void log_in_a_line(record::Finding finding, const std::string& line) {
  open_findings_log();
  log().add(std::move(finding), line);
}

void end_naming(Error error) {
  open_findings_log();
  log().end_naming(error);
}

void count_launch() {
  open_findings_log();
  log().count_launch();
}

bool has_findings_log() {
  return ProcessState::of_process().log_was_made.load() && !base::is_forked_child();
}

bool has_own_findings() {
  return log().is_of_this_process();
}

void settle_findings(int exit_code) {
  log().settle(exit_code);
  log().close(exit_code);
}

void begin_test(std::string suite, std::string name, bool runs_already) {
  open_findings_log();
  log().begin_test(std::move(suite), std::move(name), runs_already);
}

std::size_t take_test_errors(bool has_failed) {
  return check_settings().check == Check::off ? 0 : log().take_errors(has_failed);
}

const TestError* taken_test_error(std::size_t index) {
  return log().taken_error(index);
}

void end_test(report::TestOutcome outcome) {
  log().end_test(outcome);
}

std::optional<SharedStore> shared_store_in(const void* address, std::uint64_t bytes) {
  if (!has_findings_log()) return std::nullopt;
  return log().shared_store_in(reinterpret_cast<std::uintptr_t>(address), bytes);
}

std::string findings_document() {
  return log().document();
}

std::optional<int> exit_code_of_findings() {
  const std::optional<int> exit_code = log().exit_code();
  if (exit_code.has_value()) log().explain(*exit_code);
  return exit_code;
}

ErrorCollector::ErrorCollector() {
  open_findings_log();
  log().collect(*this);
}

ErrorCollector::~ErrorCollector() {
  log().leave_out(*this);
}

const char* ErrorCollector::first_id() const {
  return log().first(*this).first;
}

const char* ErrorCollector::first_report() const {
  return log().first(*this).second;
}

void count_findings(std::uint64_t kinds) {
  open_findings_log();
  log().count(kinds);
}

void open_findings_log() {
  log().open_once();
}

void note_access_hooks(bool are_judged) {
  ProcessState& process = ProcessState::of_process();
  process.has_access_hooks.store(true);
  process.judges_accesses.store(are_judged);
  if (process.log_was_made.load()) log().note_access_hooks();
}

bool has_access_hooks() {
  return ProcessState::of_process().has_access_hooks.load(std::memory_order_relaxed);
}

bool judges_at_end() {
  return check_settings().check != Check::off && (has_access_hooks() || check_settings().check_is_asked);
}

}  // namespace warpfiber::process
