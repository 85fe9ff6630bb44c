// SPDX-License-Identifier: Apache-2.0
// The findings of a whole process: folded, printed within bounds, and in a file however the process ends. Each case
// starts a program of its own.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

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

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char part[512];
  for (std::size_t size; (size = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, size);
  ::pclose(pipe);
  return text;
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

  /// Runs the child in `mode`; its findings go to a file.
  Run run(const std::string& mode, const std::string& variables = "") const {
    const std::string findings = file("findings.json");
    fs::remove(findings);
    Run run;
    run.printed = output_of("env -i WARPFIBER_FINDINGS=" + findings + " " + variables +
                            " " WARPFIBER_FINDINGS_CHILD " " + mode + " 2>&1 >/dev/null");
    run.has_file = fs::exists(findings);
    if (run.has_file) run.document = json::parse(content_of(findings));
    return run;
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
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
  const Run run = folder.run("nothing");
  REQUIRE(run.has_file);
  CHECK(run.document.at("schema") == "warpfiber-findings-1");
  CHECK(run.document.at("findings").empty());
  CHECK(run.document.at("hooks") == false);
  CHECK(run.printed.empty());
  CHECK(folder.files() == 1);
}

TEST_CASE("findings at the same lines are one, printed once, and counted") {
  const Folder folder;
  const Run run = folder.run("fold");
  REQUIRE(run.document.at("findings").size() == 2);
  CHECK(run.document["findings"][0].at("repeats") == 6);
  CHECK(run.document["findings"][1].at("repeats") == 0);
  CHECK(count(run.printed, "race-global") == 2);
}

TEST_CASE("the order of the sites makes no other finding") {
  const Folder folder;
  CHECK(folder.run("round").document.at("findings").size() == 1);
}

TEST_CASE("of many kinds as many are printed and kept as anybody reads, and the rest is counted") {
  const Folder folder;
  const Run run = folder.run("many");
  CHECK(run.document.at("findings").size() == 1000);
  CHECK(run.document.at("unlisted") == 2000);
  CHECK(count(run.printed, "\nrace-global") == 50);
  CHECK_THAT(run.printed, ContainsSubstring("and 2,950 more kinds of findings"));
}

TEST_CASE("the document is there however the program ends") {
  const Folder folder;
  const std::string mode = GENERATE("trap", "abort", "crash", "exit");
  CAPTURE(mode);
  const Run run = folder.run(mode);
  REQUIRE(run.has_file);
  REQUIRE(run.document.at("findings").size() == 1);
  const json& finding = run.document["findings"][0];
  CHECK(finding.at("id") == "trap");
  CHECK(finding.at("kernel") == "lambda");
  CHECK_THAT(finding.at("sites").at(0).at("file").get<std::string>(), ContainsSubstring("findings_child.cpp"));
  CHECK_THAT(finding.at("text").get<std::string>(), ContainsSubstring("trap  lambda<<<"));
}

TEST_CASE("a suppressed finding is counted and not told") {
  const Folder folder;
  const std::string known = folder.file("known.txt");
  std::ofstream(known) << "# looked at\nrace-global  ker*  a.cu:3\n";
  const Run run = folder.run("fold", "WARPFIBER_SUPPRESSIONS=" + known);
  CHECK(run.document.at("findings").size() == 1);
  CHECK(run.document.at("suppressed") == 1);
  CHECK(count(run.printed, "race-global") == 1);
}

TEST_CASE("a broken suppression file is named with its line") {
  const Folder folder;
  const std::string known = folder.file("known.txt");
  std::ofstream(known) << "\nrace-glbal\n";
  const Run run = folder.run("fold", "WARPFIBER_SUPPRESSIONS=" + known);
  CHECK(run.document.at("findings").size() == 2);
  CHECK_THAT(run.printed, ContainsSubstring(known + ":2: 'race-glbal'"));
}

TEST_CASE("a quiet program writes and does not print") {
  const Folder folder;
  const Run run = folder.run("many", "WARPFIBER_QUIET=1");
  CHECK(run.document.at("findings").size() == 1000);
  CHECK(run.printed.empty());
}

TEST_CASE("a file that cannot be written is said once") {
  const Folder folder;
  const std::string printed =
      output_of("env -i WARPFIBER_FINDINGS=/nowhere/f.json " WARPFIBER_FINDINGS_CHILD " fold 2>&1");
  CHECK(count(printed, "/nowhere/f.json: the file cannot be written") == 1);
}

TEST_CASE("the name of the file can have the number of the process in it") {
  const Folder folder;
  output_of("env -i WARPFIBER_FINDINGS=" + folder.file("%p.json") + " " WARPFIBER_FINDINGS_CHILD " nothing");
  CHECK(folder.files() == 1);
  CHECK_FALSE(fs::exists(folder.file("%p.json")));
}

TEST_CASE("the command that repeats the run can be given") {
  const Folder folder;
  const Run run = folder.run("trap", "WARPFIBER_AGAIN='warpfiber check --seed 7 a.cu'");
  CHECK(run.document.at("findings").at(0).at("again") == "warpfiber check --seed 7 a.cu");
}
