// SPDX-License-Identifier: Apache-2.0
// What the command has found out, as data, and how it is shown: line by line while it goes on, and as JSON at the end
// (docs/command-line.md).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpfiber::tools::doctor {

enum class State : unsigned char {
  works,
  missing,  // and is needed for something
  fails,    // is there, and does not do what it should
  absent,   // a part that this machine or this installation need not have
};

/// One thing that was looked at or tried.
struct Examination {
  std::string name;
  State state = State::works;
  bool required = false;  // by a build, a run or a check
  std::string detail{};   // versions and places, or why not
  std::string said{};     // what a program has printed that failed
  std::string mend{};     // a command, or what to do; empty: nothing, or not known
};

struct Section {
  std::string title;
  std::vector<Examination> checks{};
};

class DoctorReport {
 public:
  /// "Warpfiber 0.1.0 in /usr/local, on Debian GNU/Linux 12 (bookworm)".
  DoctorReport(std::string version, std::string prefix, std::string system);

  /// What is added next belongs to it. Prints the title.
  void begin(const std::string& title);
  /// Prints the line of the check as it is added.
  void add(Examination check);
  /// Prints what is wrong with what is required, or that all of it works.
  void end() const;

  bool all_required_works() const;
  /// The document that --json writes.
  std::string json() const;

 private:
  /// "g++, build": those that are required and do not work.
  std::string names_of_failed() const;

  std::string version_;
  std::string prefix_;
  std::string system_;
  std::vector<Section> sections_;
};

}  // namespace warpfiber::tools::doctor
