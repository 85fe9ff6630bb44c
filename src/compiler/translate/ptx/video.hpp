// SPDX-License-Identifier: Apache-2.0
// Video instructions, whose operands say which parts of words they mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpfiber::translate::ptx {

/// What the opcode of a video instruction says.
struct VideoForm {
  std::string operation;  // an enumerator of ::warpfiber::ptx::VideoOperation; empty for vmad
  unsigned parts = 1;
  bool d_signed = false, a_signed = false, b_signed = false;
  bool saturates = false, wraps = false, plus_one = false;
  std::string second;  // `add`, `min`, `max` or empty
  unsigned shift = 0;  // of vmad
};

/// A call of a function of ::warpfiber::ptx, and its operands without what they select.
struct VideoCall {
  std::string function;
  std::string result;
  std::vector<std::string> sources;
};

/// The form of an opcode, split at its dots; nothing where it is no video instruction.
std::optional<VideoForm> find_video_form(const std::vector<std::string>& opcode);

/// The call with these operands; nothing where they select parts that there are not, or are too many or too few.
std::optional<VideoCall> call_of_video(const VideoForm& form, const std::vector<std::string>& operands);

}  // namespace warpfiber::translate::ptx
