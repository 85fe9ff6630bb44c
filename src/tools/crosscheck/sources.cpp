// SPDX-License-Identifier: Apache-2.0
//
// Uses the translator's tokens and follows declarations by name within a file and the user's headers. It expands no
// macros and knows no members of classes.
#include "tools/crosscheck/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <utility>
#include <warpfiber/crosscheck/copy_log.hpp>

#include "base/text.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "translate/text/tokens.hpp"

namespace warpfiber::tools::crosscheck {
namespace {

namespace fs = std::filesystem;
using translate::kNone;

constexpr std::size_t kMostFiles = 1000;

/// C's names of types and what compare_elements calls them.
constexpr std::pair<const char*, const char*> kTypes[] = {
    {"unsigned long long", "uint64"},
    {"unsigned long", "uint64"},
    {"unsigned short", "uint16"},
    {"unsigned char", "uint8"},
    {"unsigned int", "uint32"},
    {"unsigned long int", "uint64"},
    {"unsigned short int", "uint16"},
    {"long long", "int64"},
    {"long long int", "int64"},
    {"unsigned long long int", "uint64"},
    {"long int", "int64"},
    {"short int", "int16"},
    {"signed char", "int8"},
    {"bool", "uint8"},
    {"float", "float"},
    {"float2", "float"},
    {"float3", "float"},
    {"float4", "float"},
    {"cuFloatComplex", "float"},
    {"cuComplex", "float"},
    {"double", "double"},
    {"double2", "double"},
    {"double4", "double"},
    {"cuDoubleComplex", "double"},
    {"__half", "half"},
    {"half", "half"},
    {"__half2", "half"},
    {"half2", "half"},
    {"__nv_bfloat16", "bfloat16"},
    {"unsigned", "uint32"},
    {"int", "int32"},
    {"int2", "int32"},
    {"int3", "int32"},
    {"int4", "int32"},
    {"uint", "uint32"},
    {"uint2", "uint32"},
    {"uint4", "uint32"},
    {"short", "int16"},
    {"long", "int64"},
    {"char", "int8"},
    {"uchar4", "uint8"},
    {"uint8_t", "uint8"},
    {"int8_t", "int8"},
    {"uint16_t", "uint16"},
    {"int16_t", "int16"},
    {"uint32_t", "uint32"},
    {"int32_t", "int32"},
    {"uint64_t", "uint64"},
    {"int64_t", "int64"},
    {"size_t", "uint64"},
};

std::string element_kind_of(const std::string& type) {
  const auto* const known = std::ranges::find_if(kTypes, [&type](const auto& pair) { return type == pair.first; });
  return known != std::end(kTypes) ? known->second : "";
}

/// The files that a text includes, as written.
std::vector<std::string> included(const std::string& text) {
  static const std::regex include("^[ \\t]*#[ \\t]*include[ \\t]*[<\"]([^>\"]+)[>\"]");
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (line.find("include") != std::string::npos && std::regex_search(line, found, include)) names.push_back(found[1]);
  }
  return names;
}

std::vector<std::string> folders_of(const nvcc::NvccOptions& program) {
  std::vector<std::string> folders;
  for (const std::string& word : program.preprocessing) {
    if (word.starts_with("-I")) folders.push_back(word.substr(2));
  }
  return folders;
}

void read_file(const std::string& path, const std::vector<std::string>& folders, Sources& to) {
  const std::string plain = fs::path(path).lexically_normal().string();
  if (to.files.size() == kMostFiles || std::ranges::count(to.files, plain, &Sources::File::path) != 0) return;
  to.files.push_back({plain, nvcc::content_of(plain)});
  const std::string text = to.files.back().text;
  for (const std::string& name : included(text)) {
    std::vector<std::string> places{fs::path(plain).parent_path().string()};
    places.insert(places.end(), folders.begin(), folders.end());
    for (const std::string& folder : places) {
      const fs::path candidate = fs::path(folder) / name;
      std::error_code failure;
      if (!fs::is_regular_file(candidate, failure)) continue;
      read_file(candidate.string(), folders, to);
      break;
    }
  }
}

/// Words that no declaration begins with.
constexpr std::string_view kNoTypes[] = {"return", "throw", "delete", "new",     "else",     "case",
                                         "goto",   "using", "sizeof", "typedef", "operator", "co_return"};
/// Words that say nothing of what a variable holds.
constexpr std::string_view kQualifiers[] = {
    "const",    "static",      "volatile",   "extern",       "constexpr", "inline",  "thread_local", "__device__",
    "typename", "__managed__", "__shared__", "__constant__", "__host__",  "mutable", "__restrict__", "__restrict"};
/// Templates whose first argument is what they hold, whatever the others are.
constexpr std::string_view kHolders[] = {"vector", "array", "unique_ptr", "shared_ptr", "span"};

bool is_among(const auto& words, std::string_view word) {
  return std::ranges::find(words, word) != std::end(words);
}

/// A type as it is written: its kind, or the name that may stand for one, and the token behind it.
struct Spelled {
  std::string kind{};
  std::string name{};
  std::size_t behind = kNone;
};

/// A file as tokens, and what its declarations say. It knows blocks, so that a name means what is declared last among
/// what is visible where it is used; it knows neither macros nor members of classes.
class SourceReader {
 public:
  SourceReader(const std::string& text, const Sources& sources) : tokens_(text), sources_(sources) {}

  /// The types of all calls of a function that begin between two offsets; empty for one that is not known.
  std::vector<std::string> types_of_calls(std::string_view function, std::size_t begin, std::size_t end) const {
    std::vector<std::string> types;
    for (std::size_t i = 0; i < tokens_.size() && tokens_[i].begin < end; ++i) {
      if (tokens_[i].begin >= begin && tokens_.is(i, function)) types.push_back(type_of_call(i));
    }
    return types;
  }

  /// What `using name = …;` and `typedef … name;` say, each once; empty for what has no kind. A parameter of a
  /// template is such a name as well.
  void append_aliases(std::string_view name, std::vector<std::string>& to) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!tokens_.is(i, name)) continue;
      const bool is_using = tokens_.is(i - 1, "using") && tokens_.is(i + 1, '=');
      if (is_using) to.push_back(plain_type(i + 2, ';'));
      if (tokens_.is(i - 1, "class") || tokens_.is(i - 1, "typename") || tokens_.is(i - 1, "struct")) to.emplace_back();
      if (is_using || !tokens_.is(i + 1, ';')) continue;
      std::size_t begin = i;
      while (begin != 0 && !tokens_.is(begin, "typedef") && !tokens_.is(begin - 1, ';')) --begin;
      if (!tokens_.is(begin, "typedef")) continue;
      const Spelled type = type_at(begin + 1);
      to.push_back(type.behind == i ? meant(type) : std::string());
    }
  }

 private:
  std::string meant(const Spelled& type) const {
    return type.kind.empty() && !type.name.empty() ? alias(type.name) : type.kind;
  }

  /// The kind of a type that a mark ends; empty also where anything else comes before that mark.
  std::string plain_type(std::size_t i, char end) const {
    const Spelled type = type_at(i);
    return type.behind != kNone && tokens_.is(type.behind, end) ? meant(type) : std::string();
  }

  std::size_t skip_qualifiers(std::size_t i) const {
    while (is_among(kQualifiers, tokens_.text(i))) ++i;
    return i;
  }

  /// A type without its stars. Its `behind` is kNone if the tokens are none.
  Spelled type_at(std::size_t i) const {
    i = skip_qualifiers(i);
    while (tokens_.is(i, "std") || tokens_.is(i, "thrust") || tokens_.is(i, "::")) ++i;
    if (!tokens_.is_identifier(i) || is_among(kNoTypes, tokens_.text(i))) return {};
    std::string name(tokens_.text(i++));
    const auto is_part = [](std::string_view word) {
      return word == "unsigned" || word == "signed" || word == "long" || word == "short";
    };
    while (is_part(name.substr(name.rfind(' ') + 1)) &&
           (is_part(tokens_.text(i)) || tokens_.is(i, "int") || tokens_.is(i, "char") || tokens_.is(i, "double"))) {
      name += " " + std::string(tokens_.text(i++));
    }
    for (; tokens_.is(i, "::"); i += 2) name = tokens_.text(i + 1);
    Spelled type = tokens_.is(i, '<') ? held_by(name, i) : Spelled{element_kind_of(name), name, i};
    if (type.behind != kNone) type.behind = skip_qualifiers(type.behind);
    return type;
  }

  /// What a template holds whose arguments begin at `open`.
  Spelled held_by(const std::string& name, std::size_t open) const {
    std::size_t close = open;
    for (int depth = 0; close < tokens_.size(); ++close) {
      depth += tokens_.is(close, '<') ? 1 : 0;
      depth -= tokens_.is(close, '>') ? 1 : 0;
      if (depth == 0) break;
      if (tokens_.is(close, '(') || tokens_.is(close, '[')) close = std::min(tokens_.match(close), tokens_.size());
      if (tokens_.is(close, ';') || tokens_.is(close, '{')) return {};
    }
    if (close >= tokens_.size()) return {};
    Spelled held = type_at(open + 1);
    if (tokens_.is(held.behind, '[')) held.behind += 2;  // unique_ptr<float[]>
    const bool is_all = held.behind == close || (is_among(kHolders, name) && tokens_.is(held.behind, ','));
    if (held.behind == kNone || !is_all) return {"", "", close + 1};
    return {held.kind, held.name, close + 1};
  }

  /// The kind that a name of the user's stands for, if all files agree.
  std::string alias(const std::string& name) const {
    if (is_resolving_) return {};
    is_resolving_ = true;
    std::vector<std::string> kinds;
    for (const Sources::File& file : sources_.files) {
      if (file.text.find(name) == std::string::npos) continue;
      SourceReader other(file.text, sources_);
      other.is_resolving_ = true;
      other.append_aliases(name, kinds);
    }
    is_resolving_ = false;
    return kinds.empty() || std::ranges::count(kinds, kinds[0]) != std::ssize(kinds) ? std::string() : kinds[0];
  }

  /// Where the statement, or the parameter, begins that has this token.
  std::size_t beginning_of(std::size_t i) const {
    std::size_t begin = i;
    std::size_t parameter = kNone;
    int angles = 0;
    for (; begin > 0; --begin) {
      const std::size_t before = begin - 1;
      if (tokens_.is(before, ';') || tokens_.is(before, '{') || tokens_.is(before, ':')) return begin;
      if (tokens_.is(before, '(') || tokens_.is(before, '<')) {
        if (tokens_.is(before, '<') && --angles >= 0) continue;
        if (tokens_.is(before, '(')) return parameter != kNone ? parameter : begin;
      }
      angles += tokens_.is(before, '>') ? 1 : 0;
      if (tokens_.is(before, ',') && angles <= 0 && parameter == kNone) parameter = begin;
      const bool closes = tokens_.is(before, ')') || tokens_.is(before, ']') || tokens_.is(before, '}');
      if (!closes) continue;
      if (tokens_.is(before, '}') && !tokens_.is(begin, ',')) return begin;
      if (tokens_.match(before) == kNone) return begin;
      begin = tokens_.match(before) + 1;
    }
    return begin;
  }

  /// The kind that a name gets where it is declared at this token; nothing if it is not.
  std::optional<std::string> declared_at(std::size_t name) const {
    const Spelled type = type_at(beginning_of(name));
    if (type.behind == kNone || type.behind > name) return std::nullopt;
    for (std::size_t i = type.behind; i <= name; ++i) {
      int stars = 0;
      for (; tokens_.is(i, '*') || tokens_.is(i, '&') || is_among(kQualifiers, tokens_.text(i)); ++i)
        stars += tokens_.is(i, '*') ? 1 : 0;
      if (!tokens_.is_identifier(i)) return std::nullopt;
      if (i == name) {
        const bool of_pointers = stars > 1 || (stars == 1 && tokens_.is(i + 1, '['));
        const std::string_view next = tokens_.text(i + 1);
        if (next.size() != 1 || std::string_view(";=,)[({:").find(next) == std::string_view::npos) return std::nullopt;
        return of_pointers ? std::string() : meant(type);
      }
      while (i < name && !tokens_.is(i, ','))
        i = tokens_.match(i) != kNone && tokens_.match(i) > i ? tokens_.match(i) + 1 : i + 1;
    }
    return std::nullopt;
  }

  /// What is declared last of that name and visible at a token. Blocks that are closed before are passed over with the
  /// parameters in front of them.
  std::string declared_for(std::string_view name, std::size_t use) const {
    for (std::size_t i = use; i-- > 0;) {
      const std::size_t match = tokens_.match(i);
      if (tokens_.is(i, '{') && tokens_.is(i - 1, ')')) {
        --i;  // the parameters of what is open here are visible
      } else if ((tokens_.is(i, '}') || tokens_.is(i, ')')) && match != kNone) {
        const bool is_block = tokens_.is(i, '}') && match > 0 && tokens_.is(match - 1, ')');
        i = is_block && tokens_.match(match - 1) != kNone ? tokens_.match(match - 1) : match;
      } else if (tokens_.is(i, name)) {
        const auto declared = declared_at(i);
        if (declared) return *declared;
      }
    }
    return {};
  }

  /// The kind of what an argument points to: of the variable that it names, past casts and `&`.
  std::string pointed_to(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (tokens_.text(i).ends_with("_cast") || tokens_.is(i, '&')) {
        while (i + 1 < end && !tokens_.is(i, '&') && !tokens_.is(i + 1, '(')) ++i;
        continue;
      }
      const bool opens = tokens_.is(i, '(') && tokens_.match(i) != kNone;
      const bool is_cast = opens && tokens_.is(tokens_.match(i) - 1, '*');
      if (is_cast) i = tokens_.match(i);
      if (opens) continue;
      const std::string_view next = i + 1 < end ? tokens_.text(i + 1) : std::string_view();
      const bool is_inside = next == "." && (tokens_.is(i + 2, "data") || tokens_.is(i + 2, "get"));
      const bool is_plain = next.empty() || next == "+" || next == "-" || next == "[" || next == ")" || is_inside;
      return tokens_.is_identifier(i) && is_plain ? declared_for(tokens_.text(i), i) : std::string();
    }
    return {};
  }

  /// What the sizeof at a token takes the size of.
  std::string sized_at(std::size_t i) const {
    const bool closed = tokens_.is(i + 1, '(');
    std::size_t what = i + (closed ? 2 : 1);
    if (closed && !plain_type(what, ')').empty()) return plain_type(what, ')');
    while (tokens_.is(what, '*')) ++what;
    return tokens_.is_identifier(what) && !tokens_.is(what + 1, "::") && !tokens_.is(what + 1, '.') &&
                   !tokens_.is(what + 1, "->") && !tokens_.is(what + 1, '*')
               ? declared_for(tokens_.text(what), what)
               : std::string();
  }

  std::string type_of_call(std::size_t name) const {
    std::vector<std::string> kinds;
    std::size_t open = name + 1;
    if (tokens_.is(open, '<')) {
      const Spelled held = held_by("", open);
      if (held.behind == kNone) return {};
      kinds.push_back(meant(held));
      open = held.behind;
    }
    const std::size_t close = tokens_.match(open);
    if (!tokens_.is(open, '(') || close == kNone) return {};
    const std::string_view function = tokens_.text(name);
    if (function.starts_with("cudaMemcpy3D")) return type_of_box(open, close);
    std::size_t second = function.starts_with("cudaMemcpy2D") ? 2 : 1;  // a pitch follows each pointer
    if (function == "cudaMallocManaged") second = 0;                    // the next is a size
    std::size_t argument = 0;
    std::size_t inside = 0;  // up to here: brackets of an argument
    for (std::size_t i = open + 1, begin = i; i <= close; ++i) {
      if (tokens_.is(i, "sizeof")) {
        kinds.push_back(sized_at(i));
        if (kinds.back().empty()) return {};
      }
      const bool opens = tokens_.is(i, '(') || tokens_.is(i, '[') || tokens_.is(i, '{');
      if (opens && tokens_.match(i) != kNone) inside = std::max(inside, tokens_.match(i));
      if (i != close && (!tokens_.is(i, ',') || i < inside)) continue;
      if (argument == 0 || argument == second) kinds.push_back(pointed_to(begin, i));
      ++argument;
      begin = i + 1;
    }
    return agreed(kinds);
  }

  /// Of a copy whose parameters are members of a structure: what is assigned to these last before the call.
  std::string type_of_box(std::size_t open, std::size_t close) const {
    std::size_t parameters = open + 1;
    while (parameters < close && !tokens_.is_identifier(parameters)) ++parameters;
    const std::string_view name = tokens_.text(parameters);
    std::size_t declared = open;
    while (declared > 0 && !(tokens_.is(declared, name) && tokens_.is(declared - 1, "cudaMemcpy3DParms"))) --declared;
    if (parameters == close || declared == 0) return {};
    std::vector<std::string> kinds;
    for (const std::string_view member : {"srcPtr", "dstPtr", "extent"}) {
      std::size_t assigned = open;
      const auto is_assigned = [&](std::size_t i) {
        const bool of_it = tokens_.is(i - 2, name) && (tokens_.is(i - 1, '.') || tokens_.is(i - 1, "->"));
        return of_it && (tokens_.is(i + 1, '=') || (tokens_.is(i + 1, '.') && tokens_.is(i + 2, "ptr")));
      };
      while (assigned > declared && !(tokens_.is(assigned, member) && is_assigned(assigned))) --assigned;
      if (assigned != declared && !append_assigned(assigned, kinds)) return {};
    }
    return agreed(kinds);
  }

  /// What an assignment to a member of such a structure shows: the pointer, and what is taken the size of. False: the
  /// size of something that is not known.
  bool append_assigned(std::size_t member, std::vector<std::string>& to) const {
    std::size_t end = member;
    while (end < tokens_.size() && !tokens_.is(end, ';')) ++end;
    for (std::size_t i = member; i < end; ++i) {
      if (tokens_.is(i, "sizeof")) {
        to.push_back(sized_at(i));
        if (to.back().empty()) return false;
      }
      if (tokens_.is(i, "ptr") && tokens_.is(i + 1, '=')) to.push_back(pointed_to(i + 2, end));
      if (!tokens_.is(i, "make_cudaPitchedPtr") || !tokens_.is(i + 1, '(')) continue;
      std::size_t comma = i + 2;
      while (comma < end && !tokens_.is(comma, ',')) {
        const bool opens = tokens_.is(comma, '(') || tokens_.is(comma, '[');
        comma = opens && tokens_.match(comma) != kNone ? tokens_.match(comma) + 1 : comma + 1;
      }
      to.push_back(pointed_to(i + 2, comma));
    }
    return true;
  }

  /// What all that is known agrees on. Bytes may hold anything, and integers compare the same whatever their sign.
  static std::string agreed(std::vector<std::string> kinds) {
    const auto is_integer = [](const std::string& kind) { return kind.find("int") != std::string::npos; };
    const auto is_byte = [](const std::string& kind) { return kind == "int8" || kind == "uint8"; };
    std::erase(kinds, "");
    if (!std::ranges::all_of(kinds, is_byte)) std::erase_if(kinds, is_byte);
    if (kinds.empty()) return {};
    const bool same = std::ranges::count(kinds, kinds[0]) == std::ssize(kinds);
    return same || std::ranges::all_of(kinds, is_integer) ? kinds[0] : std::string();
  }

  translate::Tokens tokens_;
  const Sources& sources_;
  mutable bool is_resolving_ = false;  // an alias, which may be one of another
};

/// The one type of several calls; empty if they are of more than one, or of one that is not known.
std::string common(const std::vector<std::string>& types) {
  return types.empty() || std::ranges::count(types, types[0]) != std::ssize(types) ? std::string() : types[0];
}

/// The calls of a function at a line of a text: those that begin in it, else those of the statement that it is part of.
std::string type_at_line(const Copy& copy, std::uint64_t line, const std::string& text, const Sources& sources) {
  std::size_t begin = 0;
  for (std::uint64_t skipped = 1; skipped < line; ++skipped) {
    begin = text.find('\n', begin);
    if (begin++ == std::string::npos) return {};
  }
  const SourceReader reading(text, sources);
  const auto in_line = reading.types_of_calls(copy.function, begin, text.find('\n', begin));
  if (!in_line.empty()) return common(in_line);
  const std::size_t before = begin == 0 ? std::string::npos : text.find_last_of(";{}", begin - 1);
  return common(reading.types_of_calls(copy.function, before == std::string::npos ? 0 : before, text.find(';', begin)));
}

/// Nothing shows which allocation a call made, so that all of the program's have to agree.
std::string type_of_managed(const Sources& sources) {
  std::vector<std::string> types;
  for (const Sources::File& file : sources.files) {
    if (file.text.find("cudaMallocManaged") == std::string::npos) continue;
    const auto found = SourceReader(file.text, sources).types_of_calls("cudaMallocManaged", 0, file.text.size());
    types.insert(types.end(), found.begin(), found.end());
  }
  return common(types);
}

}  // namespace

Sources read_sources(const nvcc::NvccOptions& program) {
  Sources sources;
  const std::vector<std::string> folders = folders_of(program);
  for (const std::string& input : program.inputs) read_file(input, folders, sources);
  std::uint64_t hash = warpfiber::crosscheck::kHashOfNothing;
  for (const Sources::File& file : sources.files) {
    hash = warpfiber::crosscheck::hash_of(file.text.data(), file.text.size() + 1, hash);
  }
  sources.hash = fmt::format("{:016x}", hash);
  for (const std::string& word : program.preprocessing) {
    if (!word.starts_with("-D") && !word.starts_with("-U")) continue;
    sources.options += (sources.options.empty() ? "" : " ") + word;
  }
  return sources;
}

bool mention(const Sources& sources, const char* text) {
  return std::ranges::any_of(sources.files,
                             [text](const Sources::File& file) { return file.text.find(text) != std::string::npos; });
}

std::string type_of(const Copy& copy, const Sources& sources) {
  if (!copy.type.empty()) return copy.type;
  if (copy.managed) return type_of_managed(sources);
  const std::size_t colon = copy.place.rfind(':');
  if (colon == std::string::npos) return {};
  const fs::path path = fs::path(copy.place.substr(0, colon)).lexically_normal();
  const auto line = base::parse_number(std::string_view(copy.place).substr(colon + 1));
  std::vector<std::string> types;  // files of the same name cannot be distinguished by it
  for (const Sources::File& file : sources.files) {
    if (!line || fs::path(file.path).filename() != path.filename()) continue;
    types.push_back(type_at_line(copy, *line, file.text, sources));
  }
  return common(types);
}

}  // namespace warpfiber::tools::crosscheck
