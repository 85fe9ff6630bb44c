// SPDX-License-Identifier: Apache-2.0
#include "runtime/findings_log.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "report/json.hpp"
#include "report/locate.hpp"
#include "report/source_text.hpp"
#include "report/symbolise.hpp"
#include "report/text.hpp"
#include "runtime/explain.hpp"
#include "runtime/host/standing.hpp"
#include "runtime/launching.hpp"
#include "runtime/reporter.hpp"
#include "runtime/session.hpp"

// The compilers' name for what every object with hooks calls first. A program without them has none.
extern "C" __attribute__((weak)) void __tsan_init();  // NOLINT(bugprone-reserved-identifier)

namespace warpfiber::runtime {
namespace {

constexpr std::size_t kPrinted = 50;       // kinds of findings that are printed
constexpr std::size_t kKept = 1000;        // kinds that are kept and written
constexpr std::size_t kWrittenEach = 100;  // kinds after each of which the file is written; beyond, after as many more

/// What makes two findings one: the id, how serious it is, and where its parties are, in any order. A party without a
/// known place goes by its kernel, what it does and why. A change reads and writes: of a race at one line it does not
/// matter which of the two came first.
using Site = std::tuple<std::string, unsigned, record::Role>;
using Key = std::tuple<std::string, record::Severity, std::vector<Site>>;

Key key_of(const record::Finding& finding) {
  std::vector<Site> sites;
  for (const record::Party& party : finding.parties) {
    const std::string unknown = finding.launch.kernel + " " + party.what + " " + finding.why;
    sites.emplace_back(party.place.known() ? party.place.file : unknown, party.place.line, party.role);
  }
  if (sites.empty()) sites.emplace_back(finding.launch.kernel + " " + finding.why, 0, record::Role::call);
  const auto elsewhere = [&sites](const Site& site) {
    return std::get<0>(site) != std::get<0>(sites.front()) || std::get<1>(site) != std::get<1>(sites.front());
  };
  if (finding.id.starts_with("race-") && std::ranges::none_of(sites, elsewhere)) {
    for (Site& site : sites) std::get<record::Role>(site) = record::Role::write;
  }
  std::ranges::sort(sites);
  return {finding.id, finding.severity, std::move(sites)};
}

std::string bracketed(const std::vector<record::Run>& runs) {
  const base::Triple at = runs.empty() ? base::Triple{0, 0, 0} : runs.front().first;
  return "[" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + "]";
}

/// The line that a device prints of an assertion that fails; scripts look for it.
std::string device_assertion(const record::Party& party) {
  return party.place.file + ":" + std::to_string(party.place.line) + ": " + party.place.function +
         ": block: " + bracketed(party.who.blocks) + ", thread: " + bracketed(party.who.threads) + " Assertion `" +
         party.what + "` failed.\n";
}

class Log {
 public:
  /// Prints `line` instead of the report where there is one.
  std::string add(record::Finding finding, const std::string& line) {
    const std::lock_guard lock(mutex_);
    return keep(std::move(finding), line, std::nullopt);
  }

  /// Prints nothing: settle() does.
  void hold(record::Finding finding, bool told) {
    const std::lock_guard lock(mutex_);
    keep(std::move(finding), {}, told);
  }

  /// The program ends with this exit code.
  void settle(int exit_code) {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, held] : held_) {
      const auto kind = kinds_.find(key);
      if (kind == kinds_.end() || kind->second >= findings_.size()) continue;
      const record::Finding& finding = findings_[kind->second];
      const TimesAsked now = times_asked();
      const bool looked = held.told || now.errors > held.before.errors;
      const bool handled = exit_code == 0 && looked && now.names == held.before.names;
      if (handled) {
        const record::Place& place = finding.parties.front().place;
        print_report("warpfiber: " + place.file + ":" + std::to_string(place.line) + ": " + finding.why +
                     " The program looked at the error and went on.\n");
        remove(kind->second);
      } else {
        print(finding, report::render_text(finding, sources_), false);
      }
    }
    held_.clear();
  }

  void count(std::uint64_t kinds) {
    const std::lock_guard lock(mutex_);
    coverage_.unlisted += kinds;
    changed(false);
  }

  void open() {
    const std::lock_guard lock(mutex_);
    changed(true);
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    const std::size_t hidden = findings_.size() + coverage_.unlisted - std::min(findings_.size(), kPrinted);
    if (hidden != 0) {
      const std::string where =
          session().findings.empty() ? "WARPFIBER_FINDINGS=file lists them" : "see " + session().findings;
      print_report("warpfiber: and " + base::counted(hidden, "more kind") + " of findings (" + where + ")\n");
    }
    if (behind_) write();
  }

 private:
  using Kinds = std::map<Key, std::size_t>;
  /// Of an error that the program may look at.
  struct Held {
    bool told = true;   // by the call itself, each time
    TimesAsked before;  // it was last seen
  };

  /// `told`: has a value for what settle() prints, or forgets.
  std::string keep(record::Finding finding, const std::string& line, std::optional<bool> told) {
    report::locate(finding, symboliser_);
    std::string plain = report::render_text(finding, sources_);
    if (record::is_suppressed(session().suppressions, finding)) {
      ++coverage_.suppressed;
      changed(coverage_.suppressed == 1);
      return plain;
    }
    const auto [kind, fresh] = kinds_.try_emplace(key_of(finding), findings_.size());
    if (told.has_value()) {
      Held& held = held_.try_emplace(kind->first).first->second;
      held.told = held.told && *told;
      held.before = times_asked();
    }
    if (!fresh) {
      if (kind->second < findings_.size()) findings_[kind->second].repeats += 1 + finding.repeats;
      changed(false);
      return plain;
    }
    if (findings_.size() == kKept) {
      forget(kind);
      return plain;
    }
    findings_.push_back(std::move(finding));
    // First: what was told is in the file, however soon the process ends.
    changed(findings_.size() <= kWrittenEach || findings_.size() % kWrittenEach == 0);
    if (!told.has_value()) print(findings_.back(), line.empty() ? plain : line, !line.empty());
    return plain;
  }

  void remove(std::size_t index) {
    findings_.erase(findings_.begin() + static_cast<std::ptrdiff_t>(index));
    std::erase_if(kinds_, [index](const auto& kind) { return kind.second == index; });
    for (auto& kind : kinds_) kind.second -= kind.second > index ? 1 : 0;
    behind_ = true;
  }

  /// Too many to keep: only how many kinds there were.
  void forget(Kinds::iterator kind) {
    ++coverage_.unlisted;
    // Bounded as well; beyond, a kind that comes twice counts twice.
    if (kinds_.size() > 16 * kKept) kinds_.erase(kind);
    changed(false);
  }

  void print(const record::Finding& finding, const std::string& plain, bool as_it_is) {
    if (findings_.size() > kPrinted) return;
    if (as_it_is) return print_report(plain);
    report::TextStyle style;
    style.colour = session().colour;
    const std::string text = style.colour ? report::render_text(finding, sources_, style) : plain;
    const std::string assertion = finding.id == "assert" ? device_assertion(finding.parties.front()) : std::string();
    print_report(assertion + "\n" + text + "\n");
  }

  /// `now`: worth writing at once. After the end of the process has begun everything is.
  void changed(bool now) {
    behind_ = true;
    if (now || closed_) write();
  }

  /// A reader never sees half a file. A forked child keeps out of its parent's.
  void write() {
    const std::string& path = session().findings;
    behind_ = false;
    if (path.empty() || getpid() != owner_) return;
    const std::string fresh = path + ".new";
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file << report::render_json(findings_, sources_, coverage_);
    file.close();
    if (file && std::rename(fresh.c_str(), path.c_str()) == 0) return;
    if (!std::exchange(complained_, true))
      print_report("warpfiber: WARPFIBER_FINDINGS=" + path + ": the file cannot be written\n");
  }

  std::mutex mutex_;
  const pid_t owner_ = getpid();
  report::Symboliser symboliser_;
  report::SourceFiles sources_;
  std::vector<record::Finding> findings_;
  Kinds kinds_;  // to their places in findings_, or to a place beyond its end
  std::map<Key, Held> held_;
  report::Coverage coverage_{.hooks = has_access_hooks() && session().check != Check::off};
  bool behind_ = false;
  bool closed_ = false;
  bool complained_ = false;
};

/// Calls `end` when the process ends, with its exit code, as far as the C library tells it.
template <void (*end)(int exit_code)>
void at_exit() {
#ifdef __GLIBC__
  on_exit([](int exit_code, void*) { end(exit_code); }, nullptr);
#else
  std::atexit([] { end(0); });
#endif
}

Log& log();

void close_log(int exit_code) {
  report_before_exit();
  log().settle(exit_code);
  log().close();
}

// Never destroyed: work may be drained, and go wrong, until the very end of the process.
Log& log() {
  static Log& instance = []() -> Log& {
    Log& made = *new Log;
    at_exit<close_log>();
    if (session().standing) report_when_time_is_over();
    return made;
  }();
  return instance;
}

}  // namespace

std::string log_finding(record::Finding finding) {
  open_findings_log();
  return log().add(std::move(finding), {});
}

void log_unless_handled(record::Finding finding, bool told) {
  open_findings_log();
  log().hold(std::move(finding), told);
}

void log_in_a_line(record::Finding finding, const std::string& line) {
  open_findings_log();
  log().add(std::move(finding), line);
}

void count_findings(std::uint64_t kinds) {
  open_findings_log();
  log().count(kinds);
}

void open_findings_log() {
  static std::once_flag once;
  std::call_once(once, [] { log().open(); });
}

bool has_access_hooks() {
  return &__tsan_init != nullptr;
}

}  // namespace warpfiber::runtime
