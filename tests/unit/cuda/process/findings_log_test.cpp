// SPDX-License-Identifier: Apache-2.0
// The findings of a whole process: folded, printed within bounds, and in a file. Each case begins with a process anew;
// those that end it start this program again with one of the hidden cases.
#include <unistd.h>
#include <warpfiber/warpfiber.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "process/findings/findings_log.hpp"
#include "process/findings/test_errors.hpp"
#include "process/host/asked.hpp"
#include "support/catch.hpp"
#include "support/process_state.hpp"

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;
using namespace warpfiber;
using test::KeptErrors;
using test::OnlyVariables;

namespace {

namespace fs = std::filesystem;

struct Run {
  std::string printed;  // on standard error
  bool has_file = false;
  json document;
};

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

record::Finding race(const std::string& file, unsigned first, unsigned second) {
  record::Finding finding{.verdict = record::Verdict::race_global};
  finding.launch.kernel = "kernel";
  finding.parties = {{.role = record::Role::write, .place = {file, first}},
                     {.role = record::Role::read, .place = {file, second}}};
  return finding;
}

void log_race(unsigned first, unsigned second, std::uint64_t repeats = 0) {
  record::Finding finding = race("a.cu", first, second);
  finding.repeats = repeats;
  process::log_finding(finding);
}

void trap() {
  launch({.block = 32}, [] {
    if (threadIdx.x == 9) __trap();
  });
}

void nothing() {
  launch({.block = 32}, [] {});
}

void three_of_two_kinds() {
  log_race(1, 2);
  log_race(3, 4);
  log_race(1, 2, 5);
}

void either_way_round() {
  record::Finding finding = race("a.cu", 1, 2);
  process::log_finding(finding);
  std::swap(finding.parties[0], finding.parties[1]);
  process::log_finding(finding);
}

void many_kinds() {
  for (unsigned line = 1; line <= 3000; ++line) log_race(line, line + 1);
}

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("warpfiber-log-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

  /// Runs `program` with these variables to the end of its log; its findings go to a file.
  Run run(void (*program)(), std::vector<std::string> variables = {}) const {
    const std::string findings = file("findings.json");
    fs::remove(findings);
    variables.push_back("WARPFIBER_FINDINGS=" + findings);
    Run run;
    run.printed = printed_by(program, variables);
    return with_document(std::move(run));
  }

  static std::string printed_by(void (*program)(), const std::vector<std::string>& variables) {
    const KeptErrors errors;
    const OnlyVariables only(variables);
    program();
    process::settle_findings(0);
    return errors.text();
  }

  /// The same of this program with the hidden case `name`, which ends the process.
  Run run_apart(const std::string& name) const {
    const std::string program = fs::read_symlink("/proc/self/exe").string();
    const std::string command =
        "env -i WARPFIBER_FINDINGS=" + file("findings.json") + " '" + program + "' '" + name + "' >/dev/null 2>&1";
    fs::remove(file("findings.json"));
    static_cast<void>(std::system(command.c_str()));  // each ends in a way of its own
    return with_document({});
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  Run with_document(Run run) const {
    run.has_file = fs::exists(file("findings.json"));
    if (run.has_file) run.document = json::parse(content_of(file("findings.json")));
    return run;
  }

  fs::path path_;
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a program without findings has a document that says so") {
  const Folder folder;
  const Run run = folder.run(nothing);
  REQUIRE(run.has_file);
  CHECK(run.document.at("schema") == "warpfiber-findings-1");
  CHECK(run.document.at("findings").empty());
  CHECK(run.document.at("hooks") == false);
  CHECK(run.printed.empty());
  CHECK(folder.files() == 1);
}

TEST_CASE("findings at the same lines are one, printed once, and counted") {
  const Folder folder;
  const Run run = folder.run(three_of_two_kinds);
  REQUIRE(run.document.at("findings").size() == 2);
  CHECK(run.document["findings"][0].at("repeats") == 6);
  CHECK(run.document["findings"][1].at("repeats") == 0);
  CHECK(count(run.printed, "race-global") == 2);
}

TEST_CASE("the order of the sites makes no other finding") {
  const Folder folder;
  CHECK(folder.run(either_way_round).document.at("findings").size() == 1);
}

TEST_CASE("of many kinds as many are printed and kept as anybody reads, and the rest is counted") {
  const Folder folder;
  const Run run = folder.run(many_kinds);
  CHECK(run.document.at("findings").size() == 1000);
  CHECK(run.document.at("unlisted") == 2000);
  CHECK(count(run.printed, "\nrace-global") == 50);
  CHECK_THAT(run.printed, ContainsSubstring("and 2,950 more kinds of findings"));
}

namespace {

std::vector<std::string> taken(bool has_failed = false) {
  std::vector<std::string> reports;
  const std::size_t count = process::take_test_errors(has_failed);
  for (std::size_t i = 0; i < count; ++i) {
    const process::TestError& error = *process::taken_test_error(i);
    reports.push_back(std::string(error.id) + " " + error.file + ":" + std::to_string(error.line));
  }
  CHECK(process::taken_test_error(count) == nullptr);
  return reports;
}

void log_warning() {
  record::Finding finding = race("a.cu", 1, 2);
  finding.severity = record::Severity::warning;
  process::log_finding(finding);
}

/// An error that the program may have provoked on purpose.
void refuse(bool looks) {
  record::Finding finding{.verdict = record::Verdict::refused_call};
  finding.parties = {{.role = record::Role::call, .place = {"a.cu", 7}}};
  process::log_unless_handled(finding, {.error = Error::invalid_value});
  if (looks) process::program_asks();
}

void three_tests() {
  log_race(9, 10);
  process::begin_test("Sum", "First");
  log_race(1, 2);
  log_race(1, 2);
  log_warning();
  CHECK(taken() == std::vector<std::string>{"race-global a.cu:1"});
  CHECK(taken().empty());
  process::end_test(report::TestOutcome::failed);
  process::begin_test("Sum", "Second");
  log_race(1, 2);
  log_race(3, 4);
  CHECK(taken().size() == 2);
  process::end_test(report::TestOutcome::failed);
  process::begin_test("", "third");
  CHECK(taken().empty());
  process::end_test(report::TestOutcome::passed);
}

void loaded_in_test() {
  log_race(1, 2);
  log_race(3, 4);
  process::begin_test("Sum", "Loads", true);
  CHECK(taken().size() == 2);
  process::end_test(report::TestOutcome::failed);
}

void ends_in_test() {
  process::begin_test("Sum", "Last");
  log_race(1, 2);
}

void refused_in_tests() {
  process::begin_test("Calls", "Looks");
  refuse(true);
  CHECK(taken().empty());
  process::end_test(report::TestOutcome::passed);
  process::begin_test("Calls", "Ignores");
  refuse(false);
  CHECK(taken().size() == 1);
  process::end_test(report::TestOutcome::failed);
  process::begin_test("Calls", "LooksAgain");
  refuse(true);
  CHECK(taken().empty());
  process::end_test(report::TestOutcome::passed);
}

void collected_in_test() {
  process::begin_test("Sum", "Expects");
  {
    const process::ErrorCollector collector;
    log_race(1, 2);
  }
  CHECK(taken().empty());
  process::end_test(report::TestOutcome::passed);
}

void tests_of_unchecked() {
  process::begin_test("Sum", "Unchecked");
  log_race(1, 2);
  CHECK(taken().empty());
}

}  // namespace

TEST_CASE("an error belongs to each test in which it is found") {
  const Folder folder;
  const Run run = folder.run(three_tests);
  const json& document = run.document;
  REQUIRE(document.at("tests").size() == 3);
  CHECK(document["tests"][1] == json{{"suite", "Sum"}, {"name", "Second"}, {"outcome", "failed"}});
  CHECK(document["tests"][2].at("outcome") == "passed");
  REQUIRE(document.at("findings").size() == 4);
  CHECK_FALSE(document["findings"][0].contains("tests"));
  const json both = {{{"suite", "Sum"}, {"name", "First"}}, {{"suite", "Sum"}, {"name", "Second"}}};
  CHECK(document["findings"][1].at("tests") == both);
  CHECK(document["findings"][3].at("tests").size() == 1);
}

TEST_CASE("what was found before its listener knew of it is the error of a test that runs already") {
  const Folder folder;
  const Run run = folder.run(loaded_in_test, {"WARPFIBER_CHECK=1"});
  for (const json& finding : run.document.at("findings")) CHECK(finding.at("tests").at(0).at("name") == "Loads");
  CHECK(process::exit_code_of_findings() == std::nullopt);
}

TEST_CASE("of an error in a test only a line is printed, as the test's failure has the report") {
  const std::string printed = Folder::printed_by(three_tests, {});
  CAPTURE(printed);
  CHECK_THAT(printed, ContainsSubstring(" at a.cu:1, a.cu:2 (a failure of the test Sum.First)\n"));
  CHECK_THAT(printed, ContainsSubstring("(a failure of the test Sum.Second)\n"));
  CHECK(count(printed, "\n  threads write ") == 2);  // before the tests, and of the warning
}

TEST_CASE("an error in a test is reported where the process ends before the test does") {
  const std::string printed = Folder::printed_by(ends_in_test, {});
  CAPTURE(printed);
  CHECK(count(printed, "\n  threads write ") == 1);
}

TEST_CASE("at the end of a test it is known which errors the test has looked at") {
  const Folder folder;
  const Run run = folder.run(refused_in_tests);
  REQUIRE(run.document.at("findings").size() == 1);
  CHECK(run.document["findings"][0].at("tests").at(0).at("name") == "Ignores");
}

TEST_CASE("the framework judges what its listener has taken, and the exit code is its own") {
  const OnlyVariables only("WARPFIBER_CHECK=1");
  const KeptErrors errors;
  process::begin_test("", "first");
  log_race(1, 2);
  CHECK(taken().size() == 1);
  process::end_test(report::TestOutcome::failed);
  process::settle_findings(0);
  CHECK(process::exit_code_of_findings() == std::nullopt);
}

TEST_CASE("what no listener has taken changes the exit code") {
  const OnlyVariables only("WARPFIBER_CHECK=1");
  const KeptErrors errors;
  SECTION("as its test has not ended") {
    ends_in_test();
  }
  SECTION("as it was found before the tests") {
    log_race(1, 2);
    process::begin_test("", "first");
    log_race(1, 2);
    CHECK(taken().size() == 1);
  }
  process::settle_findings(0);
  CHECK(process::exit_code_of_findings() == 66);
}

TEST_CASE("errors that a test collects are no failures of it") {
  Folder::printed_by(collected_in_test, {});
}

TEST_CASE("a program whose checks are off has no failures of tests") {
  Folder::printed_by(tests_of_unchecked, {"WARPFIBER_CHECK=0"});
}

// They end the process: the case below starts this program again for each of them.
TEST_CASE("trap", "[.][ends]") {
  trap();
}
TEST_CASE("trap and abort", "[.][ends]") {
  trap();
  std::abort();
}
TEST_CASE("trap and crash", "[.][ends]") {
  trap();
  std::raise(SIGSEGV);
}
TEST_CASE("trap and leave from inside", "[.][ends]") {
  trap();
  launch({}, [] { std::exit(7); });
}

TEST_CASE("the document is there however the program ends") {
  const Folder folder;
  const std::string name = GENERATE("trap", "trap and abort", "trap and crash", "trap and leave from inside");
  CAPTURE(name);
  const Run run = folder.run_apart(name);
  REQUIRE(run.has_file);
  REQUIRE(run.document.at("findings").size() == 1);
  const json& finding = run.document["findings"][0];
  CHECK(finding.at("id") == "trap");
  CHECK(finding.at("kernel") == "lambda");
  CHECK_THAT(finding.at("sites").at(0).at("file").get<std::string>(), ContainsSubstring("findings_log_test.cpp"));
  CHECK_THAT(finding.at("text").get<std::string>(), ContainsSubstring("trap  lambda<<<"));
}

TEST_CASE("a suppressed finding is counted and not told") {
  const Folder folder;
  const std::string known = folder.file("known.txt");
  std::ofstream(known) << "# looked at\nrace-global  ker*  a.cu:3\n";
  const Run run = folder.run(three_of_two_kinds, {"WARPFIBER_SUPPRESSIONS=" + known});
  CHECK(run.document.at("findings").size() == 1);
  CHECK(run.document.at("suppressed") == 1);
  CHECK(count(run.printed, "race-global") == 1);
}

TEST_CASE("a broken suppression file is named with its line") {
  const Folder folder;
  const std::string known = folder.file("known.txt");
  std::ofstream(known) << "\nrace-glbal\n";
  const Run run = folder.run(three_of_two_kinds, {"WARPFIBER_SUPPRESSIONS=" + known});
  CHECK(run.document.at("findings").size() == 2);
  CHECK_THAT(run.printed, ContainsSubstring(known + ":2: 'race-glbal'"));
}

TEST_CASE("a quiet program writes and does not print") {
  const Folder folder;
  const Run run = folder.run(many_kinds, {"WARPFIBER_QUIET=1"});
  CHECK(run.document.at("findings").size() == 1000);
  CHECK(run.printed.empty());
}

TEST_CASE("a file that cannot be written is said once") {
  const Folder folder;
  const std::string printed = Folder::printed_by(three_of_two_kinds, {"WARPFIBER_FINDINGS=/nowhere/f.json"});
  CHECK(count(printed, "/nowhere/f.json: the file cannot be written: No such file or directory") == 1);
}

TEST_CASE("the name of the file can have the number of the process in it") {
  const Folder folder;
  Folder::printed_by(nothing, {"WARPFIBER_FINDINGS=" + folder.file("%p.json")});
  CHECK(folder.files() == 1);
  CHECK_FALSE(fs::exists(folder.file("%p.json")));
}

TEST_CASE("the command that repeats the run can be given") {
  const Folder folder;
  const Run run = folder.run(trap, {"WARPFIBER_AGAIN=warpfiber check --seed 7 a.cu"});
  CHECK(run.document.at("findings").at(0).at("again") == "warpfiber check --seed 7 a.cu");
}
