// SPDX-License-Identifier: Apache-2.0
// The order in which things are looked at and tried. What cannot work without another part is not tried without it.
#include "tools/doctor/doctor.hpp"

#include <cstdio>
#include <filesystem>

#include "base/environment.hpp"
#include "tools/doctor/report.hpp"
#include "tools/doctor/trials.hpp"
#include "tools/manual/command_line.hpp"
#include "tools/manual/options.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"

namespace warpfiber::tools::doctor {
namespace {

constexpr int kNotInOrder = 1;
constexpr int kFailed = 2;

constexpr OptionReader<DoctorOptions> kReaders[] = {{"--json", read_text<&DoctorOptions::json>}};
static_assert(have_readers(manual::kDoctorOptions, kReaders));

}  // namespace

std::optional<Reply> parse(const std::vector<std::string>& words, DoctorOptions& to) {
  return manual::parse_words(*manual::find_subcommand("doctor"), kReaders, words, to);
}

namespace {

bool works(const Examination& check) {
  return check.state == State::works;
}

/// The compilers of the system: the default one, and the others that -ccbin may name.
std::vector<std::string> compilers() {
  std::vector<std::string> all{default_compiler()};
  for (const char* other : {"g++", "clang++"}) {
    if (all.front() != other) all.emplace_back(other);
  }
  return all;
}

/// Adds what is said of each. Those that work.
std::vector<std::string> examine_compilers(const Workplace& at, DoctorReport& report) {
  std::vector<Examination> found;
  std::vector<std::string> working;
  for (const std::string& compiler : compilers()) {
    const bool is_default = found.empty();
    found.push_back(try_compiler(at, compiler, is_default));
    if (is_default) found.back().detail += compiler == "g++" ? ", the default" : ", which CXX names";
    if (works(found.back())) working.push_back(compiler);
  }
  if (!works(found.front()) && !working.empty()) {
    std::string& mend = found.front().mend;
    mend += (mend.empty() ? "" : "; or ") + std::string("build by ") + working.front() + ": -ccbin " + working.front() +
            ", or CXX=" + working.front();
  }
  if (std::string& mend = found.front().mend; working.empty() && mend.empty())
    mend = packages::install_command(at.system, packages::Software::gxx).value_or(std::string());
  report.begin("compilers");
  for (Examination& check : found) {
    // A system need not have more than one.
    if (!check.required && check.state == State::missing) check = {check.name, State::absent, false, check.detail};
    report.add(std::move(check));
  }
  return working;
}

void try_all(const Workplace& at, const std::vector<std::string>& working, DoctorReport& report) {
  report.begin("tried");
  if (working.empty()) {
    for (const char* trial : {"build", "check"})
      report.add({trial, State::missing, true, "not tried: no compiler works"});
    return;
  }
  for (const std::string& compiler : working) report.add(try_build(at, compiler, compiler == default_compiler()));
  report.add(try_check(at, working.front()));
  report.add(try_regions(at, working.front()));
}

}  // namespace

int doctor(const std::vector<std::string>& words) {
  DoctorOptions options;
  if (const auto reply = parse(words, options)) {
    std::fputs(reply->err.c_str(), stderr);
    print(reply->out);
    return reply->status;
  }
  const nvcc::ScratchFolder scratch;
  if (scratch.path().empty()) {
    say("doctor", scratch.error());
    return kFailed;
  }
  const std::string own = base::own_program();
  const Workplace at{.command = own,
                     .prefix = std::filesystem::path(own).parent_path().parent_path().string(),
                     .toolchain = nvcc::find_toolchain(own),
                     .system = packages::this_system(),
                     .scratch = scratch.path()};
  DoctorReport report(WARPFIBER_VERSION, at.prefix, at.system.name);
  report.begin("installed");
  for (Examination& check : look_at_files(at)) report.add(std::move(check));
  const std::vector<std::string> working = examine_compilers(at, report);
  if (at.toolchain.ok()) try_all(at, working, report);
  report.begin("for some commands");
  report.add(try_gdb(at));
  report.add(try_python(at));
  report.add(try_gpu(at));
  if (nvcc::stopped_by() != 0) return nvcc::kSignalled + nvcc::stopped_by();
  report.end();
  if (!write_file("doctor", options.json, report.json())) return kFailed;
  return report.all_required_works() ? 0 : kNotInOrder;
}

}  // namespace warpfiber::tools::doctor
