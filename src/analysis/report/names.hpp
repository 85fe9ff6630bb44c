// SPDX-License-Identifier: Apache-2.0
// How one finding names its launch, its places and its memory. Files go by their last name, unless two files of the
// finding share it. Pure functions of the finding. The engine uses
// names of members for its sentences.
#pragma once

#include <map>
#include <string>

#include "record/finding.hpp"

namespace warpfiber::report {

class Names {
 public:
  explicit Names(const record::Finding& finding);

  /// "sum.cu:31"; empty for a place that is not known.
  std::string place(const record::Place& place) const;

  /// "arrived (unsigned, global, value 132), last written by block (131,0,0) at sum.cu:29".
  std::string object(const record::ObjectFacts& object) const;

  /// "persistent_sum<<<(160,1,1), (256,1,1)>>>, 160 KiB shared, on H200 (model)".
  std::string launch() const;

 private:
  void note(const record::Place& place);
  void note(const record::ObjectFacts& object);

  const record::LaunchFacts& launch_;
  bool of_host_ = false;                      // about no launch at all
  std::map<std::string, std::string> shown_;  // a file's last name to its longest path; nothing where two share it
};

/// "28 blocks", "33,660 threads", "1 thread", "the host"; one thread each of many blocks counts as these blocks.
std::string count_text(const record::Members& members);

/// Which ones, as a CUDA programmer says it: "block (0,0,0) … (131,0,0), thread 0 of each", "lanes 16-31 of warp 2".
/// The block is left out where the launch has only one. Empty if the members do not say.
std::string who_text(const record::Members& members, const record::LaunchFacts& launch);

}  // namespace warpfiber::report
