// SPDX-License-Identifier: Apache-2.0
//
// Reads the forms of g++ and clang++ by their punctuation. What is no message is passed on as it is.
#include "tools/nvcc/compiler_messages/message_lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

namespace warpfiber::tools::nvcc {
namespace {

constexpr char kEscape = '\x1b';

/// What optimises a kernel sees it within what runs its threads: `Packing<ns::k<int>(int*)...` contains k.
std::string kernel_run_by(const std::string& plain) {
  constexpr std::string_view kPacking = "::Packing<";
  const std::size_t at = plain.find(kPacking);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + kPacking.size();
  const std::size_t end = std::min(plain.find_first_of("<(", begin), plain.size());
  return plain.substr(begin, end - begin);
}

bool is_inlining(const std::string& plain) {
  return plain.starts_with("    inlined from ") && plain.find("warpfiber::") != std::string::npos;
}

/// A line that says where the messages behind it belong.
bool is_context(const std::string& plain) {
  return plain.starts_with("In function ") || plain.starts_with("In member function ") ||
         plain.starts_with("In lambda function") || plain.find(": In ") != std::string::npos;
}

/// The lines of one message: its context, the message and the notes behind it, each with the context of its own.
class Blocks {
 public:
  explicit Blocks(const std::string& messages) : lines_(split_lines(messages)) {
    for (const std::string& line : lines_) plain_.push_back(without_colours(line));
  }

  std::string text() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const bool is_message = place_of(plain_[i]).is_message();
      const bool begins = is_message ? has_message_ : is_context(plain_[i]) && has_message_ && !leads_to_note(i);
      if (begins) finish();
      has_message_ |= is_message;
      take(i);
    }
    finish();
    return std::move(text_);
  }

 private:
  /// Whether the next place behind a context is a note's.
  bool leads_to_note(std::size_t i) const {
    for (++i; i < plain_.size(); ++i) {
      const MessagePlace place = place_of(plain_[i]);
      if (!place.is_note() && !place.is_message()) continue;
      return place.is_note();
    }
    return false;
  }

  void take(std::size_t i) {
    std::string line = lines_[i];
    if (is_inlining(plain_[i])) {
      is_inlined_ = true;
      const std::size_t comma = block_.rfind(",\n");
      if (plain_[i].ends_with(":\n") && comma + 2 == block_.size()) block_.replace(comma, 1, ":");
      return;
    }
    const std::string kernel = kernel_run_by(plain_[i]);
    const std::size_t begin = line.find("In function ");
    if (!kernel.empty() && begin != std::string::npos) {
      line.replace(begin, std::string::npos, in_function(kernel, line) + ":\n");
    }
    block_ += line;
  }

  void finish() {
    if (!is_inlined_ || seen_.insert(block_).second) text_ += block_;
    block_.clear();
    has_message_ = is_inlined_ = false;
  }

  std::vector<std::string> lines_;
  std::vector<std::string> plain_;
  std::string block_;
  bool has_message_ = false;
  bool is_inlined_ = false;
  std::set<std::string> seen_;
  std::string text_;
};

}  // namespace

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::string without_colours(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kEscape) {
      i = std::min(text.find_first_of("mK", i), text.size());
    } else {
      plain += text[i];
    }
  }
  return plain;
}

MessagePlace place_of(const std::string& plain) {
  MessagePlace place;
  for (std::size_t colon = plain.find(':'); colon != std::string::npos; colon = plain.find(':', colon + 1)) {
    char* end = nullptr;
    const unsigned long line = std::strtoul(plain.c_str() + colon + 1, &end, 10);
    if (end == plain.c_str() + colon + 1 || *end != ':') continue;
    place.file = plain.substr(0, colon);
    place.line = static_cast<unsigned>(line);
    char* behind = nullptr;
    std::strtoul(end + 1, &behind, 10);
    if (behind != end + 1 && *behind == ':') end = behind;
    place.rest = std::string_view(plain).substr(static_cast<std::size_t>(end + 1 - plain.c_str()));
    break;
  }
  return place;
}

std::string in_function(const std::string& name, const std::string& messages) {
  const bool has_quotes = messages.find("‘") != std::string::npos;
  return has_quotes ? "In function ‘" + name + "’" : "In function '" + name + "'";
}

std::string without_inlining(const std::string& messages) {
  const bool is_there =
      messages.find("    inlined from ") != std::string::npos || messages.find("::Packing<") != std::string::npos;
  return is_there ? Blocks(messages).text() : messages;
}

}  // namespace warpfiber::tools::nvcc
