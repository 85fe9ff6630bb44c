// SPDX-License-Identifier: Apache-2.0
//
// The manual's tables against the parsers, and what is printed from them.
#include "tools/manual/manual.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "support/catch.hpp"
#include "tools/check/options.hpp"
#include "tools/command.hpp"
#include "tools/crosscheck/crosscheck.hpp"
#include "tools/doctor/doctor.hpp"
#include "tools/gdb.hpp"
#include "tools/manual/completion.hpp"
#include "tools/manual/help.hpp"
#include "tools/manual/options.hpp"
#include "tools/merge/merge.hpp"
#include "tools/nvcc/options.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/options/nvcc_table.hpp"
#include "tools/profile/profile.hpp"
#include "tools/run.hpp"
#include "tools/step.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools;
using Words = std::vector<std::string>;

namespace {

const manual::CompletionNames kNames{{"H200", "A100"}, {"race-shared", "trap"}, {"checking"}};

/// What the parser of this subcommand says of the words.
std::string complaint(const std::string& subcommand, const Words& words) {
  if (subcommand == "check") return check::parse(words).error;
  if (subcommand == "merge") return merge::parse(words).reply.value_or(Reply{}).err;
  if (subcommand == "gdb") return gdb::parse(words).error;
  if (subcommand == "profile") return profile::parse(words).error;
  if (subcommand == "crosscheck") return crosscheck::parse(words).error;
  if (subcommand == "run") return run::parse(words).error;
  if (subcommand == "step") return step::parse(words).error;
  if (subcommand == "nvcc") return nvcc::parse_options(words).error;
  if (subcommand == "doctor") {
    doctor::DoctorOptions options;
    const auto reply = doctor::parse(words, options);
    return reply.has_value() ? reply->err : std::string();
  }
  Words all{subcommand};
  all.insert(all.end(), words.begin(), words.end());
  return command(all).err;
}

}  // namespace

TEST_CASE("every option of the manual is one of its parser") {
  for (const manual::Subcommand& subcommand : manual::subcommands()) {
    for (const manual::OptionHelp& option : subcommand.options) {
      for (const std::string_view name : {option.name, option.other}) {
        if (name.empty()) continue;
        Words words{std::string(name)};
        if (option.has_value()) words.emplace_back("1");
        INFO(subcommand.name << " " << name);
        CHECK_THAT(complaint(std::string(subcommand.name), words), !ContainsSubstring("unknown option"));
      }
    }
  }
}

TEST_CASE("an option that is in no table is refused by every subcommand") {
  for (const manual::Subcommand& subcommand : manual::subcommands()) {
    INFO(subcommand.name);
    CHECK_FALSE(complaint(std::string(subcommand.name), {"--frobnicate"}).empty());
  }
}

TEST_CASE("help and version are printed by every subcommand") {
  for (const manual::Subcommand& subcommand : manual::subcommands()) {
    const std::string name(subcommand.name);
    INFO(name);
    CHECK(command({"help", name}).out == manual::help_of(name));
    const std::string help = manual::help_of(name);
    CHECK_THAT(help, ContainsSubstring("usage: warpfiber " + name) && ContainsSubstring("\nexamples:\n  ") &&
                         ContainsSubstring("\nexit code:\n  ") && ContainsSubstring("-h, --help") &&
                         ContainsSubstring("-V, --version"));
    if (subcommand.name == "devices" || subcommand.name == "fidelity" || subcommand.name == "help") {
      CHECK(command({name, "--help"}).out == help);
      CHECK(command({name, "-V"}).out == manual::version());
    }
  }
  CHECK(check::parse({"a.cu", "-h"}).options.help);
  CHECK(check::parse({"--version"}).options.version);
  CHECK(crosscheck::parse({"-V"}).options.version);
}

TEST_CASE("help is no wider than a terminal") {
  for (const manual::Subcommand& subcommand : manual::subcommands()) {
    std::istringstream lines(manual::help_of(subcommand.name));
    bool is_example = false;
    for (std::string line; std::getline(lines, line);) {
      is_example = line.starts_with("  ") ? is_example : line == "examples:";
      INFO(line);
      CHECK((line.size() <= 80 || is_example || line.starts_with("usage:") || line.starts_with("see also:")));
    }
  }
}

TEST_CASE("the word that is meant differs in a letter or two") {
  const Words known{"check", "trap", "--time", "--seeds"};
  CHECK(manual::nearest("chekc", known) == "check");
  CHECK(manual::nearest("chk", known).empty());
  CHECK(manual::nearest("tarp", known) == "trap");
  CHECK(manual::nearest("trip", known) == "trap");
  CHECK(manual::nearest("--size", known).empty());
  CHECK(manual::nearest("--sedes", known) == "--seeds");
  CHECK(manual::nearest("", known).empty());
}

TEST_CASE("a wrong option is named with the one that is meant, or the command that has it") {
  CHECK(check::parse({"--sedes", "3", "a.cu"}).error == "unknown option '--sedes'; did you mean '--seeds'?");
  CHECK_THAT(command({"occupancy", "--blok", "3"}).err, ContainsSubstring("did you mean '--block'?"));
  CHECK(manual::with_suggestion("x", "--seeds", "run") ==
        "'--seeds' is an option of warpfiber check, not of this command");
  CHECK(manual::with_suggestion("as it is", "", "run") == "as it is");
  CHECK_THAT(check::parse({"--frobnicate", "a.cu"}).error, ContainsSubstring("-Xcompiler"));
}

TEST_CASE("man pages and completion name every option of a subcommand") {
  const std::string scripts[] = {manual::bash_completion(kNames), manual::zsh_completion(kNames)};
  for (const manual::Subcommand& subcommand : manual::subcommands()) {
    const std::string page = manual::man_page(subcommand);
    for (const manual::OptionHelp& option : subcommand.options) {
      std::string roff;
      for (const char c : option.name) roff += c == '-' ? std::string("\\-") : std::string(1, c);
      INFO(subcommand.name << " " << option.name);
      CHECK_THAT(page, ContainsSubstring(roff));
      for (const std::string& script : scripts) CHECK_THAT(script, ContainsSubstring(std::string(option.name)));
      CHECK_THAT(manual::fish_completion(kNames), ContainsSubstring(" -l " + std::string(option.name.substr(2))));
    }
  }
  for (const nvcc::NvccOption& option : nvcc::kOptions) {
    if (option.id == nvcc::Id::not_modelled) continue;
    const std::string name(option.short_name);
    for (const std::string& script : scripts) CHECK_THAT(script, ContainsSubstring(name));
  }
}

TEST_CASE("CXX names the host compiler where it is one by itself") {
  const auto named = [](const char* value) {
    ::setenv("CXX", value, 1);
    const std::string compiler = nvcc::compiler_of_environment();
    ::unsetenv("CXX");
    return compiler;
  };
  CHECK(named("clang++-14") == "clang++-14");
  CHECK(named("/usr/bin/x86_64-linux-gnu-g++") == "/usr/bin/x86_64-linux-gnu-g++");
  CHECK(named("ccache g++") == "g++");
  CHECK(named("g++ -m32").empty());
  CHECK(named("icpx").empty());
  CHECK(named("ccache").empty());
  CHECK(named("").empty());
}

TEST_CASE("the page of a subcommand describes each of its options") {
  for (const manual::Subcommand& subcommand : manual::subcommands()) {
    if (subcommand.options.data() == manual::command_options().data()) continue;
    std::string pages;
    for (const std::string_view page : subcommand.pages) {
      std::ifstream file(WARPFIBER_SOURCE "/docs/" + std::string(page) + ".md");
      REQUIRE(file.good());
      pages.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    for (const manual::OptionHelp& option : subcommand.options) {
      INFO(subcommand.name << " " << option.name);
      if (!manual::kHelp.is_called(option.name) && !manual::kVersion.is_called(option.name))
        CHECK_THAT(pages, ContainsSubstring(std::string(option.name)));
    }
  }
}

TEST_CASE("the exit codes of all commands are those of their help") {
  const std::string all = command({"help", "exit-codes"}).out;
  for (const manual::Subcommand& subcommand : manual::subcommands()) {
    const std::string help = manual::help_of(subcommand.name);
    const std::size_t begin = help.find("\nexit code:\n") + 12;
    const std::string codes = help.substr(begin, help.find("\nsee also") - begin);
    CHECK_THAT(all, ContainsSubstring("warpfiber " + std::string(subcommand.name) + "\n" + codes));
  }
}
