// SPDX-License-Identifier: Apache-2.0
// The number is a hash of the loops and calls around the thread, so that to compare positions is to compare numbers.
#include "profile/lane_positions.hpp"

namespace warpfiber::profile {
namespace {

/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014 (the finaliser of SplitMix64).
std::uint64_t mixed(std::uint64_t before, std::uint64_t number) {
  std::uint64_t z = before + 0x9e3779b97f4a7c15U * (number + 1);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  return z ^ z >> 31;
}

}  // namespace

void LanePosition::begin() {
  value_ = 0;
  line_ = 0;
  enclosing_.clear();
}

void LanePosition::change(detail::ControlFlow what, unsigned loop) {
  using detail::ControlFlow;
  switch (what) {
    case ControlFlow::loop_pass:
      if (!is_in(loop)) enclosing_.push_back({value_, loop, 0});
      value_ = mixed(enclosing_.back().before, std::uint64_t{loop} << 32 | ++enclosing_.back().passes_or_line);
      break;
    case ControlFlow::loop_end:
      if (!is_in(loop)) break;  // without any pass
      value_ = enclosing_.back().before;
      enclosing_.pop_back();
      break;
    case ControlFlow::function_begin:
      enclosing_.push_back({value_, kCall, line_});
      value_ = mixed(value_, std::uint64_t{kCall} << 32 | line_);
      break;
    case ControlFlow::function_end:
      while (!enclosing_.empty() && enclosing_.back().loop != kCall) enclosing_.pop_back();  // by a return
      if (enclosing_.empty()) break;
      value_ = enclosing_.back().before;
      line_ = enclosing_.back().passes_or_line;
      enclosing_.pop_back();
      break;
    case ControlFlow::statement: break;
  }
}

void LanePositions::block_begin(unsigned slot) {
  const std::size_t end = (std::size_t{slot} + 1) * block_threads_;
  if (threads_.size() < end) threads_.resize(end);
  for (std::size_t thread = end - block_threads_; thread < end; ++thread) threads_[thread].begin();
}

}  // namespace warpfiber::profile
