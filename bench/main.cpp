// SPDX-License-Identifier: Apache-2.0
// Runs the benchmarks under Google Benchmark's own options, whose output stays as it is on standard output, then shows
// every figure beside its limit on standard error. With --benchmark_repetitions the figures are medians. Fails if a
// kernel failed or computed something wrong, not if a figure is over its limit.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "limits.hpp"

namespace warpfiber::bench {
namespace {

/// Why a benchmark has no figure; empty where it has. Google Benchmark 1.8 gave what it says of that other names.
template <class Run>
std::string failure_of(const Run& run) {
  if constexpr (requires { run.error_occurred; }) {
    return run.error_occurred ? run.error_message : std::string();
  } else {
    return run.skipped == decltype(run.skipped){} ? std::string() : run.skip_message;
  }
}

/// The reporter that the options ask for, and a note of every counter on the way.
class NotingReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override {
    chosen_->SetOutputStream(&GetOutputStream());
    chosen_->SetErrorStream(&GetErrorStream());
    return chosen_->ReportContext(context);
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    chosen_->ReportRuns(runs);
    for (const Run& run : runs) note(run);
  }
  void Finalize() override { chosen_->Finalize(); }

  const Figures& figures() const { return figures_; }
  bool any_failed() const { return any_failed_; }

 private:
  // Aggregates are reported after the repetitions they are made of, so the median is what stays.
  void note(const Run& run) {
    if (const std::string failure = failure_of(run); !failure.empty()) {
      std::cerr << run.run_name.str() << " failed: " << failure << '\n';
      any_failed_ = true;
      return;
    }
    if (run.run_type == Run::RT_Aggregate && run.aggregate_name != "median") return;
    const std::string benchmark = run.run_name.str() + ":";
    for (const auto& [name, counter] : run.counters) figures_[benchmark + name] = counter.value;
    figures_[benchmark + "wall_per_cpu"] = run.GetAdjustedRealTime() / run.GetAdjustedCPUTime();
  }

  std::unique_ptr<benchmark::BenchmarkReporter> chosen_{benchmark::CreateDefaultDisplayReporter()};
  Figures figures_;
  bool any_failed_ = false;
};

}  // namespace
}  // namespace warpfiber::bench

int main(int argc, char** argv) {
  setenv("WARPFIBER_WORKERS", "1", 0);  // a launch of a CUDA source cannot say how many; the others do
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  warpfiber::bench::NotingReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  warpfiber::bench::print_table(std::cerr, reporter.figures());
  return reporter.any_failed() ? 1 : 0;
}
