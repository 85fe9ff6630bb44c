// SPDX-License-Identifier: Apache-2.0
//
// Cases in words, for the report of one that went wrong.
#pragma once

#include <string>

#include "cases.h"

namespace random_groups {

inline std::string in_words(const Step& step) {
  static const char* const kCuts[] = {"",           "tiled_partition<", "tiled_partition(", "binary_partition",
                                      "label bool", "label int",        "label long long",  "label pointer",
                                      "branch"};
  const std::string cut = kCuts[int(step.cut)];
  const std::string size = std::to_string(step.size);
  switch (step.cut) {
    case Cut::none: return cut;
    case Cut::tile: return " > " + cut + size + ">";
    case Cut::dynamic: return " > " + cut + size + ")";
    default: return " > " + cut + " of " + (step.distinct ? std::to_string(step.distinct) + " values" : "any values");
  }
}

inline std::string in_words(const Action& action) {
  static const char* const kCalls[] = {"sync",
                                       "invoke_one",
                                       "invoke_one_broadcast",
                                       "shfl",
                                       "any",
                                       "all",
                                       "reduce",
                                       "inclusive_scan",
                                       "exclusive_scan",
                                       "reduce_update_async",
                                       "inclusive_scan_update",
                                       "exclusive_scan_update",
                                       "shfl_up",
                                       "shfl_down",
                                       "ballot",
                                       "match_any",
                                       "match_all",
                                       "shfl_xor"};
  static const char* const kElements[] = {"int", "unsigned", "long long", "float", "double", "struct"};
  static const char* const kFunctors[] = {"plus", "less", "greater", "bit_and", "bit_or", "bit_xor", "own operator"};
  std::string words = kCalls[int(action.call)];
  if (is_fold(action.call))
    return words + " " + kFunctors[int(action.functor)] + " of " + kElements[int(action.element)];
  switch (action.call) {
    case Call::shfl:
    case Call::shfl_up:
    case Call::shfl_down:
    case Call::shfl_xor:
      return words + " by " + std::to_string(action.argument) + " of " + kElements[int(action.element)];
    case Call::match_any:
    case Call::match_all: return words + " of " + kElements[int(action.element)];
    default: return words;
  }
}

/// The path of the threads that follow plan `plan`, such as "block 8x4x1 > tiled_partition<16> > binary_partition of
/// any".
inline std::string in_words(const Case& drawn, const Shape& shape, int plan) {
  std::string words = "block " + std::to_string(shape.x) + "x" + std::to_string(shape.y) + "x" +
                      std::to_string(shape.z) + in_words(drawn.root);
  if (drawn.root.cut == Cut::none) return words;
  for (const Step& step : drawn.plans[plan].steps) words += in_words(step);
  return words;
}

}  // namespace random_groups
