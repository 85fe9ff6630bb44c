// SPDX-License-Identifier: Apache-2.0
//
// Reads which file includes which from the line markers of both texts, and pairs the files by their names and by the
// lines that include them.
#include "translate/arch_merge.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "translate/text/lines.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::size_t kDeepestInclude = 1000;  // files that include one another: compilers stop at 200

/// Lines of a file between two of its includes.
struct OwnLines {
  std::size_t begin;  // offsets
  std::size_t end;
  unsigned line;  // at the begin
};

/// One inclusion of a file.
struct Inclusion {
  std::string_view name;
  unsigned line = 0;      // of the #include
  std::size_t begin = 0;  // the marker that enters the file
  std::size_t end = 0;    // past the marker that leaves it
  std::vector<std::size_t> children;
  std::vector<OwnLines> own;
};

/// All inclusions of a text, in its order; the first one is the text itself.
class Inclusions {
 public:
  explicit Inclusions(const Tokens& tokens) : tokens_(tokens) {
    const std::string_view text = tokens.source();
    all_.push_back({{}, 0, 0, text.size(), {}, {{0, 0, 1}}});
    for (const LineMarker& marker : tokens.markers()) {
      const std::size_t begin = text.rfind('\n', marker.next_line - 2) + 1;  // of the marker; npos + 1 is 0
      Inclusion& open = all_[open_.back()];
      open.own.back().end = begin;
      if (marker.step == IncludeStep::enters && open_.size() < kDeepestInclude) {
        open.children.push_back(all_.size());
        open_.push_back(all_.size());
        all_.push_back({marker.file, 0, begin, text.size(), {}, {}});
      } else if (marker.step == IncludeStep::returns && open_.size() > 1) {
        open.end = marker.next_line;
        open.line = marker.line - 1;
        open_.pop_back();
      }
      all_[open_.back()].own.push_back({marker.next_line, text.size(), marker.line});
    }
    for (std::size_t i = 1; i < all_.size(); ++i) {
      if (has_tokens(i)) by_name_[all_[i].name].push_back(i);
    }
  }

  const Inclusion& operator[](std::size_t i) const { return all_[i]; }

  /// Whether anything is left of the file: of one that is included again nothing is, where it has a guard.
  bool has_tokens(std::size_t i) const {
    std::size_t low = 0;
    std::size_t high = tokens_.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      tokens_[middle].begin < all_[i].begin ? low = middle + 1 : high = middle;
    }
    return low < tokens_.size() && tokens_[low].begin < all_[i].end;
  }

  /// The only inclusion of the file that has tokens; kNone where there is none or several.
  std::size_t only(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() || found->second.size() != 1 ? kNone : found->second.front();
  }

  /// Where the file's own line `line` begins, or would begin.
  std::size_t place_of(std::size_t file, unsigned line) const {
    const std::string_view text = tokens_.source();
    const std::vector<OwnLines>& own = all_[file].own;
    for (const OwnLines& lines : own) {
      unsigned at_line = lines.line;
      std::size_t at = lines.begin;
      for (; at_line < line && at < lines.end; ++at_line) at = std::min(text.find('\n', at), lines.end - 1) + 1;
      if (at_line >= line) return at;
    }
    return own.back().end;
  }

 private:
  const Tokens& tokens_;
  std::vector<Inclusion> all_;
  std::vector<std::size_t> open_{0};
  std::map<std::string_view, std::vector<std::size_t>> by_name_;
};

/// Where the last line before `end` begins.
std::size_t last_line_of(const Tokens& tokens, std::size_t end) {
  return end < 2 ? 0 : tokens.source().rfind('\n', end - 2) + 1;
}

class IncludeMerge {
 public:
  IncludeMerge(const Tokens& host, const Tokens& device)
      : host_tokens_(host), device_tokens_(device), host_(host), device_(device) {
    pair(0, 0, nullptr);
  }

  std::string run() { return insertions_.empty() ? std::string() : of_host(0, host_tokens_.source().size()); }

 private:
  /// A file of the host that moves, with all that it includes.
  struct Move {
    std::size_t file;
    std::size_t to;
  };

  /// Looks for what the device's file includes and the host's does not. `within`: the file that moves and in which the
  /// host's is; null: none.
  void pair(std::size_t in_host, std::size_t in_device, const Move* within) {
    std::vector<std::size_t> left = host_[in_host].children;
    for (const std::size_t child : device_[in_device].children) {
      const auto found = std::find_if(left.begin(), left.end(), [&](std::size_t other) {
        return host_[other].name == device_[child].name && host_[other].line == device_[child].line;
      });
      if (found != left.end()) {
        const std::size_t other = *found;
        left.erase(found);
        pair(other, child, within);
      } else if (device_.has_tokens(child)) {
        const std::size_t place = host_.place_of(in_host, device_[child].line);
        const Before before =
            within == nullptr ? Before{place, place, place} : Before{within->to, host_[within->file].begin, place};
        const bool missing = place_file(child, before);
        if (missing) insertions_[place].push_back(child);
      }
    }
  }

  /// Which files of the host stand before a place: those of its text before `top`, and where the place is in a file
  /// that moves to `top`, those between `begin` and `end`.
  struct Before {
    std::size_t top;
    std::size_t begin;
    std::size_t end;
    bool has(std::size_t at) const { return at < top || (at >= begin && at < end); }
  };

  /// Decides what becomes of a file of the device and of those that it includes, for a place in the host's text. False:
  /// the host has it already.
  bool place_file(std::size_t file, const Before& before) {
    const std::size_t in_host = device_.only(device_[file].name) == file ? host_.only(device_[file].name) : kNone;
    if (in_host != kNone && (before.has(host_[in_host].begin) || moved_.contains(host_[in_host].begin))) {
      present_.insert(file);
      return false;
    }
    if (in_host != kNone) {
      moved_[host_[in_host].begin] = in_host;
      from_host_[file] = in_host;
      const Move move{in_host, before.top};
      pair(in_host, file, &move);
      return true;
    }
    for (const std::size_t child : device_[file].children) place_file(child, before);
    return true;
  }

  /// The host's text with what is inserted and without what moves.
  std::string of_host(std::size_t begin, std::size_t end) const {
    std::string text;
    auto insertion = insertions_.lower_bound(begin);
    auto moved = moved_.lower_bound(begin);
    std::size_t at = begin;
    while (true) {
      const std::size_t next_insertion = insertion == insertions_.end() ? end : std::min(insertion->first, end);
      const std::size_t next_moved = moved == moved_.end() ? end : std::min(moved->first, end);
      const std::size_t next = std::min(next_insertion, next_moved);
      text += host_tokens_.source().substr(at, next - at);
      at = next;
      if (next == end) return text;
      if (next == next_insertion) {
        for (const std::size_t file : insertion->second) text += '\n' + of_device(file);
        text += continue_at(host_tokens_, at);
        ++insertion;
      } else {
        at = host_[moved->second].end;
        text += continue_at(host_tokens_, at);
        insertion = insertions_.lower_bound(at);
        moved = moved_.lower_bound(at);
      }
    }
  }

  std::string of_device(std::size_t file) const {
    const auto found = from_host_.find(file);
    if (found != from_host_.end()) {
      const Inclusion& in_host = host_[found->second];
      // The marker that enters the file itself is no place of a file that moves.
      const std::size_t text = in_host.own.front().begin;
      // The one that leaves it names the file that includes it, which is the device's.
      return std::string(host_tokens_.source().substr(in_host.begin, text - in_host.begin)) +
             of_host(text, last_line_of(host_tokens_, in_host.end)) + leaving(file);
    }
    std::string text;
    std::size_t at = device_[file].begin;
    for (const std::size_t child : device_[file].children) {
      text += device_tokens_.source().substr(at, device_[child].begin - at);
      at = device_[child].end;
      text += present_.contains(child) ? continue_at(device_tokens_, at) : of_device(child);
    }
    return text += device_tokens_.source().substr(at, device_[file].end - at);
  }

  std::string leaving(std::size_t file) const {
    const std::size_t end = device_[file].end;
    const std::size_t begin = last_line_of(device_tokens_, end);
    return std::string(device_tokens_.source().substr(begin, end - begin));
  }

  const Tokens& host_tokens_;
  const Tokens& device_tokens_;
  Inclusions host_;
  Inclusions device_;
  std::map<std::size_t, std::vector<std::size_t>> insertions_;  // of the device's files, by offsets of the host's text
  std::map<std::size_t, std::size_t> moved_;                    // the host's files that move, by their begins
  std::map<std::size_t, std::size_t> from_host_;                // and for which of the device's they stand
  std::set<std::size_t> present_;                               // files of the device that the host has further up
};

}  // namespace

std::string with_includes_of_device(const Tokens& host, const Tokens& device) {
  return IncludeMerge(host, device).run();
}

}  // namespace warpfiber::translate
