// SPDX-License-Identifier: Apache-2.0
//
// Headers that are for the host alone: GoogleTest's, Catch2's, most of the C++ library. g++ checks in a checked program
// whether each access is aligned to its type, which only kernels need. In a file that includes such a header this would
// be the most of its code. Hooks of accesses stay, so what the host does to memory of devices is seen as before.
// A function is marked only where nvcc's rules keep kernels from calling it: it has none of CUDA's qualifiers, nor has
// any other of its file, and is not constexpr or, in the C++ library, not called for that.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "translate/passes.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::string_view kCommandLine = "<command-line>";

/// Of the C++ library, what functions of both sides call for being constexpr, of which nvcc warns only.
constexpr std::string_view kOfBothSides[] = {"/algorithm",
                                             "/array",
                                             "/atomic",
                                             "/bit",
                                             "/complex",
                                             "/functional",
                                             "/initializer_list",
                                             "/numeric",
                                             "/optional",
                                             "/span",
                                             "/tuple",
                                             "/utility",
                                             "/variant",
                                             "/bits/invoke.h",
                                             "/bits/move.h",
                                             "/bits/atomic_base.h",
                                             "/bits/refwrap.h",
                                             "/bits/stl_algo.h",
                                             "/bits/stl_algobase.h",
                                             "/bits/stl_function.h",
                                             "/bits/stl_numeric.h",
                                             "/bits/stl_pair.h",
                                             "/bits/utility.h"};

/// Text between two line markers.
struct HeaderPiece {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view file;
  bool system = false;
  bool is_left_alone = false;
  bool is_of_language = false;  // in the C++ library
};

/// With its slash. That of a folder is the one around it.
std::string_view folder_of(std::string_view file) {
  if (file.ends_with('/')) file.remove_suffix(1);
  return file.substr(0, file.rfind('/') + 1);
}

bool is_of_both_sides(std::string_view file) {
  return std::ranges::any_of(kOfBothSides, [file](std::string_view name) { return file.ends_with(name); });
}

class HostHeaders {
 public:
  explicit HostHeaders(const Tokens& tokens) : t_(tokens) {
    read_pieces();
    note_words();
  }

  /// The part of such a header that the byte at `offset` is in; none where it is in no such header.
  const HeaderPiece* at(std::size_t offset) const {
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                                        [](std::size_t at, const HeaderPiece& piece) { return at < piece.begin; });
    if (after == pieces_.begin()) return nullptr;
    const HeaderPiece& piece = *(after - 1);
    return piece.is_left_alone || with_words_.contains(piece.file) ? nullptr : &piece;
  }

 private:
  void read_pieces() {
    const std::vector<LineMarker>& markers = t_.markers();
    for (std::size_t i = 0; i < markers.size(); ++i) {
      const LineMarker& marker = markers[i];
      follow(marker);
      const bool is_main = open_.size() == 1;
      const std::size_t end = i + 1 < markers.size() ? markers[i + 1].next_line : t_.source().size();
      const bool is_of_language = begins_with(library_, marker.file);
      const bool is_left_alone =
          is_main || begins_with(ours_, marker.file) || (is_of_language && is_of_both_sides(marker.file));
      pieces_.push_back({marker.next_line, end, marker.file, marker.system, is_left_alone, is_of_language});
    }
  }

  /// Which files are open behind the marker.
  void follow(const LineMarker& marker) {
    if (marker.file == kCommandLine || open_.empty()) {
      open_.assign(1, marker.file);
    } else if (marker.step == IncludeStep::enters) {
      if (open_.back() == kCommandLine) note_ours(marker.file);
      if (marker.system && marker.file.ends_with("/cmath")) library_.insert(folder_of(marker.file));
      open_.push_back(marker.file);
    } else if (marker.step == IncludeStep::returns && open_.size() > 1) {
      open_.pop_back();
    }
  }

  /// From a file that our command line includes: CUDA's names lie in one folder, our own in another.
  void note_ours(std::string_view file) {
    constexpr std::string_view kOfCuda = "/cuda_runtime.h";
    constexpr std::string_view kOfWarpfiber = "/warpfiber/detail/unit_version.hpp";
    if (!file.ends_with(kOfCuda) && !file.ends_with(kOfWarpfiber)) return;
    ours_.insert(folder_of(file.ends_with(kOfCuda) ? file : folder_of(file)));
  }

  static bool begins_with(const std::set<std::string_view>& folders, std::string_view file) {
    return std::ranges::any_of(folders, [file](std::string_view folder) { return file.starts_with(folder); });
  }

  void note_words() {
    std::size_t piece = 0;
    for (const std::uint32_t i : t_.keywords()) {
      if (!is_qualifier(t_[i].keyword)) continue;
      while (piece < pieces_.size() && pieces_[piece].end <= t_[i].begin) ++piece;
      if (piece < pieces_.size()) with_words_.insert(pieces_[piece].file);
    }
  }

  const Tokens& t_;
  std::vector<HeaderPiece> pieces_;
  std::vector<std::string_view> open_;  // files, the innermost last
  std::set<std::string_view> ours_;     // folders
  std::set<std::string_view> library_;  // those of the C++ library
  std::set<std::string_view> with_words_;
};

/// Where an attribute may stand in the definition of a function: behind its templates and what has to come first.
std::size_t place_of_attribute(const Tokens& tokens, const Function& function) {
  std::size_t i = function.specifiers;
  if (tokens.is(i, "extern") && tokens[i + 1].kind == TokenKind::string) i += 2;
  for (;;) {
    const bool is_attribute = tokens.is(i, '[') && tokens.is(i + 1, '[') && tokens.match(i) != kNone;
    if (!is_attribute && !tokens.is(i, "__extension__")) return i;
    i = is_attribute ? tokens.match(i) + 1 : i + 1;
  }
}

bool is_defaulted(const Tokens& tokens, const Function& function) {
  return tokens.is(function.end - 2, "default") && tokens.is(function.end - 1, ';');
}

}  // namespace

void mark_host_headers(TranslationUnit& program) {
  if (program.options.of_host.empty()) return;
  const HostHeaders headers(program.tokens);
  const std::string attribute = std::string(program.options.of_host) + " ";
  for (const Function& function : outline(program.tokens, true).functions) {
    if (!function.qualifiers.none() || (function.body.empty() && !is_defaulted(program.tokens, function))) continue;
    const std::size_t place = program.begin_of(place_of_attribute(program.tokens, function));
    const HeaderPiece* const header = headers.at(place);
    if (header == nullptr || (function.body.empty() && !header->system)) continue;
    if (function.is_constexpr && (program.options.relaxed_constexpr || !header->is_of_language)) continue;
    program.edits.insert(place, attribute);
    if (!header->system) program.keep_columns(place);
  }
}

}  // namespace warpfiber::translate
