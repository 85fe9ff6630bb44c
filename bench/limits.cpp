// SPDX-License-Identifier: Apache-2.0
#include "limits.hpp"

#include <cmath>
#include <cstdio>
#include <limits>
#include <ostream>
#include <string>

#include "measure.hpp"

namespace warpfiber::bench {
namespace {

enum class Bound { at_most, at_least };

struct Limit {
  const char* figure;
  Clock clock;
  Bound bound;
  double factor;
  const char* yardstick;  // the limit is factor times this figure; null: the factor itself
  const char* rule;       // the same in words
};

// Wall time of a busy benchmark exceeds the CPU time of its thread by more than this only if others use the processors.
constexpr double kQuiet = 1.15;

// A tree over 256 elements has 9 barriers; its loads, stores and sums may cost a fifth more.
constexpr double kReduceFactor = 9 * 1.2;

// Two figures that are the same differ by so much from run to run.
constexpr double kAsMuch = 1.02;

// A launch that nobody waits for may take as long as 80 jumps; its figure is in microseconds.
constexpr double kJumpsOfALaunch = 80 / 1e3;

constexpr Limit kLimits[] = {
    {"barrier/32:ns_per_thread", Clock::cpu, Bound::at_most, 1.2, "raw_jump/32:ns_per_thread", "1.2 x raw_jump/32"},
    {"barrier/256:ns_per_thread", Clock::cpu, Bound::at_most, 1.1, "raw_jump/256:ns_per_thread", "1.1 x raw_jump/256"},
    {"barrier/1024:ns_per_thread", Clock::cpu, Bound::at_most, 1.2, "raw_jump/1024:ns_per_thread",
     "1.2 x raw_jump/1024"},
    {"shuffle/32:ns_per_thread", Clock::cpu, Bound::at_most, 1.0, "barrier/256:ns_per_thread", "barrier/256"},
    {"tile_sync/32:ns_per_thread", Clock::cpu, Bound::at_most, kAsMuch, "syncwarp/32:ns_per_thread", "syncwarp/32"},
    {"group_reduce/32:ns_per_thread", Clock::cpu, Bound::at_most, 1.5, "group_reduce/32:steps_ns_per_thread",
     "1.5 x five shuffles"},
    {"maskless_sums/256:ns_per_thread", Clock::cpu, Bound::at_most, 1.5, "maskless_sums/256:masked_ns_per_thread",
     "1.5 x with masks"},
    {"saxpy_inline:ns_per_element", Clock::cpu, Bound::at_most, 1.5, "saxpy_plain:ns_per_element", "1.5 x saxpy_plain"},
    {"saxpy_pointer:ns_per_element", Clock::cpu, Bound::at_most, 6.0, "saxpy_plain:ns_per_element", "6 x saxpy_plain"},
    {"saxpy_warps:ns_per_element", Clock::cpu, Bound::at_most, 3.0, "saxpy_halves:ns_per_element", "3 x saxpy_halves"},
    {"block_reduce:ns_per_element", Clock::cpu, Bound::at_most, kReduceFactor, "barrier/256:ns_per_thread",
     "9 x barrier/256 + 20 %"},
    {"regions/block_reduce:ns_per_element", Clock::cpu, Bound::at_most, 3.0, nullptr, "3 ns"},
    {"regions/shuffle_sum:ns_per_thread", Clock::cpu, Bound::at_most, 3.0, nullptr, "3 ns"},
    {"regions/scan:ns_per_thread", Clock::cpu, Bound::at_most, 4.0, nullptr, "4 ns"},
    {"regions/bitonic:ns_per_thread", Clock::cpu, Bound::at_most, 80.0, nullptr, "80 ns"},
    {"regions/matmul_tiled:ms", Clock::cpu, Bound::at_most, 1.5, "matmul_ikj:ms", "1.5 x matmul_ikj"},
    {"matmul_tiled:ms", Clock::wall, Bound::at_most, 0.6, "matmul_plain:ms", "0.6 x matmul_plain"},
    {"matmul_wmma:ms", Clock::cpu, Bound::at_most, 30.0, "matmul_cublas:ms", "30 x matmul_cublas"},
    {"matmul_wmma:us_per_product", Clock::cpu, Bound::at_most, 1.5, nullptr, "1.5 us"},
    {"regions/matmul_wmma:us_per_product", Clock::cpu, Bound::at_most, 0.5, nullptr, "0.5 us"},
    {"empty_threads:threads_per_s", Clock::wall, Bound::at_least, 300e6, nullptr, "300 million/s"},
    {"empty_blocks/1:ns_per_block", Clock::wall, Bound::at_most, 0.1, "raw_jump/32:ns_per_thread", "0.1 x raw_jump/32"},
    {"empty_blocks/32:ns_per_block", Clock::wall, Bound::at_most, 1.0, "raw_jump/32:ns_per_thread", "raw_jump/32"},
    {"launches_in_stream:us_per_launch", Clock::wall, Bound::at_most, kJumpsOfALaunch, "raw_jump/32:ns_per_thread",
     "80 x raw_jump/32"},
    {"empty_launch:us_per_launch", Clock::wall, Bound::at_most, 5.0, nullptr, "5 us"},
    {"idle:cpu_percent", Clock::cpu, Bound::at_most, 0.1, nullptr, "nothing (0.1 %)"},
    {"grid_sync/270336:ns_per_thread", Clock::cpu, Bound::at_most, 150.0, nullptr, "150 ns"},
    {"grid_sync/270336:peak_mb", Clock::cpu, Bound::at_most, 1600.0, nullptr, "1,600 MB"},
    {"workers/2:ns_per_thread", Clock::wall, Bound::at_most, 1 / 1.8, "workers/1:ns_per_thread", "workers/1 / 1.8"},
};

constexpr double kMillion = 1e6;

/// Not a number for a figure that was not measured, and so is whatever is computed from it.
double find(const Figures& figures, const std::string& name) {
  const auto at = figures.find(name);
  return at == figures.end() ? std::numeric_limits<double>::quiet_NaN() : at->second;
}

std::string text_of(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string number(double value) {
  if (std::isnan(value)) return "-";
  if (value >= kMillion) return text_of("%.0f M", value / kMillion);
  return text_of(value < 100 ? "%.3g" : "%.0f", value);
}

/// Whether wall times of this benchmark tell of the machine's load and not of Warpfiber.
bool disturbed(const Figures& figures, const Limit& limit) {
  const std::string name = limit.figure;
  return limit.clock == Clock::wall && find(figures, name.substr(0, name.find(':')) + ":wall_per_cpu") > kQuiet;
}

const char* verdict(Bound bound, double measured, double limit) {
  if (std::isnan(limit)) return "not compared";
  if (bound == Bound::at_most) return measured <= limit ? "ok" : "over";
  return measured >= limit ? "ok" : "under";
}

void print_row(std::ostream& out, const Limit& limit, const Figures& figures) {
  const double measured = find(figures, limit.figure);
  if (std::isnan(measured)) return;
  const double yardstick = limit.yardstick == nullptr ? 1 : find(figures, limit.yardstick);
  const double bound = limit.factor * yardstick;
  const bool compared = limit.yardstick != nullptr && !std::isnan(yardstick);
  char line[160];
  std::snprintf(line, sizeof line, "%-35s %9s %7s   %s %-8s %-24s %s%s\n", limit.figure, number(measured).c_str(),
                compared ? text_of("%.2f", measured / yardstick).c_str() : "",
                limit.bound == Bound::at_most ? "<=" : ">=", number(bound).c_str(), limit.rule,
                verdict(limit.bound, measured, bound), disturbed(figures, limit) ? ", machine busy" : "");
  out << line;
}

}  // namespace

void print_table(std::ostream& out, const Figures& figures) {
  char line[160];
  std::snprintf(line, sizeof line, "\n%-35s %9s %7s   %-11s %-24s\n", "figure", "measured", "ratio", "limit",
                "that is");
  out << line;
  for (const Limit& limit : kLimits) print_row(out, limit, figures);
}

}  // namespace warpfiber::bench
