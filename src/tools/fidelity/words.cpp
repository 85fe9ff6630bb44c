// SPDX-License-Identifier: Apache-2.0
//
// Tokenises each file with the translator's tokens and marks which tokens are code of the device. Macros count as
// code of the device where such code mentions them.
#include "tools/fidelity/fidelity.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <string_view>
#include <utility>

#include "translate/passes.hpp"
#include "translate/text/declarations.hpp"
#include "translate/text/tokens.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::tools::fidelity {
namespace {

using translate::kNone;
using translate::Tokens;

using NameMap = std::map<std::string, std::string, std::less<>>;

/// The qualifiers that say where a function runs, or have arguments that are none of its declaration.
constexpr std::string_view kQualifiers[] = {"global",       "device",  "host",      "launch_bounds",
                                            "cluster_dims", "maxnreg", "block_size"};

constexpr unsigned kIntegral = 1;
constexpr unsigned kFloating = 2;

constexpr std::string_view kIntegralTypes[] = {
    "int",      "unsigned", "long",    "short",    "char",     "bool",      "size_t", "uint", "int8_t", "uint8_t",
    "int16_t",  "uint16_t", "int32_t", "uint32_t", "int64_t",  "uint64_t",  "int2",   "int4", "uint2",  "uint4",
    "intptr_t", "uchar",    "ushort",  "ulong",    "longlong", "ulonglong", "u32",    "u64"};
constexpr std::string_view kFloatingTypes[] = {"float",   "double",  "half",          "half2",         "__half",
                                               "__half2", "float2",  "float4",        "float3",        "double2",
                                               "double4", "double3", "__nv_bfloat16", "__nv_bfloat162"};

bool contains(const auto& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

unsigned kind_of_type(std::string_view name) {
  return contains(kIntegralTypes, name) ? kIntegral : contains(kFloatingTypes, name) ? kFloating : 0;
}

struct Macro {
  std::string name;
  std::string body;
  bool has_parameters = false;
  bool is_read = false;
};

/// The macros that a text defines and the headers that it includes, `<cub/cub.cuh>`.
struct Directives {
  std::vector<Macro> macros;
  std::vector<std::string> headers;
};

/// Where the words of directives begin that follow a # at the beginning of a line.
std::vector<std::size_t> directives_in(const std::string& text) {
  std::vector<std::size_t> words;
  bool begins_line = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '#' && begins_line) words.push_back(std::min(text.find_first_not_of("# \t", at), text.size()));
    if (text[at] != ' ' && text[at] != '\t') begins_line = text[at] == '\n';
  }
  return words;
}

/// The end of the line that goes on where a line ends in a backslash.
std::size_t end_of_line(const std::string& text, std::size_t begin) {
  std::size_t end = text.find('\n', begin);
  while (end != std::string::npos && end > 0 && text[end - 1] == '\\') end = text.find('\n', end + 1);
  return std::min(end, text.size());
}

std::string header_in(std::string_view line) {
  const std::size_t begin = line.find_first_of("<\"");
  const std::size_t end = begin == std::string_view::npos ? begin : line.find_first_of(">\"", begin + 1);
  if (end == std::string_view::npos) return {};
  return "<" + std::string(line.substr(begin + 1, end - begin - 1)) + ">";
}

Directives read_directives(const std::string& text) {
  std::string open = text;  // where what is behind # is tokens as well, but for those in comments and strings
  const std::vector<std::size_t> words = directives_in(text);
  for (const std::size_t word : words) open[open.rfind('#', word)] = ' ';
  const Tokens tokens(open);
  Directives directives;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!std::ranges::binary_search(words, tokens[i].begin)) continue;
    const std::size_t end = end_of_line(open, tokens[i].begin);
    if (tokens.is(i, "include")) {
      directives.headers.push_back(header_in(std::string_view(open).substr(tokens[i].end, end - tokens[i].end)));
    } else if (tokens.is(i, "define") && tokens.is_identifier(i + 1)) {
      const bool has_parameters = tokens.touches_next(i + 1) && tokens.is(i + 2, '(');
      const std::size_t parameters = has_parameters ? tokens.match(i + 2) : kNone;
      const std::size_t begin = std::size_t{tokens[parameters != kNone ? parameters : i + 1].end};
      if (begin > end) continue;
      directives.macros.push_back({std::string(tokens.text(i + 1)), open.substr(begin, end - begin), has_parameters});
    }
  }
  return directives;
}

using ByteRange = std::pair<std::size_t, std::size_t>;

/// What stands between #else or #elif and #endif: read together with what stands before, braces may not match.
std::vector<ByteRange> alternatives_in(const std::string& text) {
  std::vector<ByteRange> alternatives;
  std::vector<std::size_t> begins;  // for each #if that is open, where its #else begins
  for (const std::size_t word : directives_in(text)) {
    const std::string_view rest = std::string_view(text).substr(word);
    if (rest.starts_with("if")) begins.push_back(std::string::npos);
    if (begins.empty()) continue;
    if (rest.starts_with("el") && begins.back() == std::string::npos) begins.back() = end_of_line(text, word);
    if (!rest.starts_with("endif")) continue;
    const std::size_t end = text.rfind('#', word);
    if (begins.back() < end) alternatives.emplace_back(begins.back(), end);
    begins.pop_back();
  }
  return alternatives;
}

/// The text with the qualifiers as the translator knows them.
std::string qualified(const std::string& text, const NameMap& qualifiers) {
  const Tokens tokens(text);
  std::string to;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto found = tokens.is_identifier(i) ? qualifiers.find(tokens.text(i)) : qualifiers.end();
    if (found == qualifiers.end()) continue;
    to.append(text, copied, tokens[i].begin - copied).append(found->second);
    copied = tokens[i].end;
  }
  return to.append(text, copied);
}

/// The bytes that are code of the device: kernels and functions of the device from their types on, and lambdas.
std::vector<ByteRange> device_code(const std::string& text) {
  const Tokens tokens(text);
  std::vector<ByteRange> code;
  for (const translate::Function& function : translate::outline(tokens).functions) {
    if (!function.qualifiers.on_device() || function.body.empty()) continue;
    code.emplace_back(tokens[function.begin].begin, tokens[function.body.end].begin);
  }
  for (const std::size_t word : tokens.keywords()) {
    const translate::TokenRange body = translate::device_lambda(tokens, word).body;
    if (!body.empty()) code.emplace_back(tokens[body.begin].begin, tokens[body.end].begin);
  }
  return code;
}

/// Which tokens are code of the device.
std::vector<bool> device_tokens(const std::string& text, const Tokens& tokens) {
  const std::vector<ByteRange> alternatives = alternatives_in(text);
  std::string first = text;  // of the alternatives
  for (const auto& [begin, end] : alternatives) std::fill(first.begin() + begin, first.begin() + end, ' ');
  std::vector<ByteRange> code = device_code(first);
  for (const auto& [begin, end] : alternatives) {
    for (const ByteRange& part : device_code(text.substr(begin, end - begin))) {
      code.emplace_back(begin + part.first, begin + part.second);
    }
  }
  std::vector<bool> on_device(tokens.size(), false);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::size_t at = tokens[i].begin;
    on_device[i] =
        std::ranges::any_of(code, [at](const ByteRange& part) { return part.first <= at && at < part.second; });
  }
  return on_device;
}

class WordReader {
 public:
  explicit WordReader(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      Directives directives = read_directives(file);
      for (Macro& macro : directives.macros) macros_.push_back(std::move(macro));
      words_.insert(directives.headers.begin(), directives.headers.end());
    }
    const NameMap qualifiers = known_qualifiers();
    for (const std::string& file : files) texts_.push_back(qualified(file, qualifiers));
    for (const std::string& text : texts_) note(Tokens(text));
  }

  ProgramWords read() {
    for (const std::string& text : texts_) {
      const Tokens tokens(text);
      read_tokens(tokens, device_tokens(text, tokens));
    }
    // A macro is code of the device where it is mentioned there, maybe by another macro.
    for (bool more = true; more;) {
      more = false;
      for (Macro& macro : macros_) more = (words_.contains("@" + macro.name) && read_macro(macro, true)) || more;
    }
    for (Macro& macro : macros_) read_macro(macro, false);
    return std::move(words_);
  }

 private:
  NameMap known_qualifiers() const {
    NameMap names;
    for (const std::string_view word : kQualifiers) {
      names["__" + std::string(word) + "__"] = "__warpfiber_" + std::string(word) + "__";
    }
    for (const Macro& macro : macros_) {
      const Tokens body(macro.body);
      for (std::size_t i = 0; i < body.size() && !macro.has_parameters; ++i) {
        if (body.is(i, "__global__") || body.is(i, "__device__")) names[macro.name] = names[std::string(body.text(i))];
      }
    }
    return names;
  }

  /// What the whole program has to know of a file: aliases of namespaces, functions of its own, types of variables.
  void note(const Tokens& tokens) {
    for (const translate::Function& function : translate::outline(tokens).functions) {
      if (!function.name.empty()) own_functions_.insert(std::string(tokens.text(function.name.end - 1)));
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens.is(i, "namespace") && tokens.is_identifier(i + 1) && tokens.is(i + 2, '=')) {
        const std::size_t named = i + 3 + static_cast<std::size_t>(tokens.is(i + 3, "::"));
        aliases_[std::string(tokens.text(i + 1))] = tokens.text(named);
      }
      for (const std::string_view space : {"cooperative_groups", "warpfiber"}) {
        if (tokens.is(i, space)) spaces_.insert(std::string(space));
      }
      note_declaration(tokens, i);
    }
  }

  void note_declaration(const Tokens& tokens, std::size_t type) {
    const unsigned kind = tokens.is_identifier(type) ? kind_of_type(tokens.text(type)) : 0;
    if (kind == 0) return;
    has_floats_ = has_floats_ || kind == kFloating;
    const auto skipped = [&tokens](std::size_t i) {
      const std::string_view word = tokens.text(i);
      return word == "*" || word == "&" || word == "__restrict__" || word == "restrict" ||
             translate::is_cv(tokens, i) || kind_of_type(word) != 0;
    };
    std::size_t i = type + 1;
    while (skipped(i)) ++i;
    while (tokens.is_identifier(i)) {
      declared_[std::string(tokens.text(i++))] |= kind;
      while (tokens.is(i, '[') && tokens.match(i) != kNone) i = tokens.match(i) + 1;
      if (!tokens.is(i, ',')) return;
      do ++i;
      while (tokens.is(i, '*'));
      if (std::string_view(",;=[").find(tokens.text(i + 1)) == std::string_view::npos) return;
    }
  }

  bool read_macro(Macro& macro, bool on_device) {
    if (macro.is_read) return false;
    macro.is_read = true;
    const Tokens tokens(macro.body);
    read_tokens(tokens, std::vector<bool>(tokens.size(), on_device));
    return true;
  }

  void read_tokens(const Tokens& tokens, const std::vector<bool>& on_device) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].keyword == translate::Keyword::launch && on_device[i]) words_.insert("@<<<");
      if (tokens.is(i, "__warpfiber_device__") && declares_variable(tokens, i)) words_.insert("device variable");
      if (!tokens.is_identifier(i)) continue;
      if (i > 0 && (tokens.is(i - 1, '.') || tokens.is(i - 1, "->"))) {
        read_member(tokens, i);
      } else if (i < 2 || !tokens.is(i - 1, "::") || !tokens.is_identifier(i - 2)) {
        i = read_name(tokens, i, on_device[i]);
      }
    }
  }

  /// Whether what begins with the qualifier is no function, class or lambda.
  static bool declares_variable(const Tokens& tokens, std::size_t qualifier) {
    std::size_t i = qualifier + 1;
    while (i < tokens.size() && std::string_view("(;={[").find(tokens.text(i)) == std::string_view::npos) {
      if (tokens.is(i, "class") || tokens.is(i, "struct") || tokens.is(i, "operator")) return false;
      ++i;
    }
    return i > qualifier + 2 && i < tokens.size() && !tokens.is(i, '(') && tokens.is_identifier(i - 1);
  }

  void read_member(const Tokens& tokens, std::size_t i) {
    const std::string name = "." + std::string(tokens.text(i));
    words_.insert(name);
    const bool designated = i > 1 && (tokens.is(i - 2, '{') || tokens.is(i - 2, ',')) && tokens.is(i + 1, '=');
    if (designated && spaces_.contains("warpfiber")) words_.insert("warpfiber::" + name);
  }

  /// Reads the name that begins with token `first`, and says which token is its last.
  std::size_t read_name(const Tokens& tokens, std::size_t first, bool on_device) {
    const auto alias = aliases_.find(tokens.text(first));
    std::string name(alias != aliases_.end() ? alias->second : tokens.text(first));
    std::size_t last = first;
    for (; tokens.is(last + 1, "::") && tokens.is_identifier(last + 2); last += 2) {
      words_.insert(name);
      name += "::" + std::string(tokens.text(last + 2));
    }
    if (name.starts_with("std::") && !on_device) return words_.insert(name), last;
    if (name.starts_with("__warpfiber_")) name.erase(2, std::string_view("warpfiber_").size());
    const bool declares = first > 0 && tokens.is_identifier(first - 1) && !translate::is_keyword(tokens, first - 1);
    const bool own = first == last && own_functions_.contains(name);
    const bool calls = on_device && !declares && !own && tokens.is(last + 1, '(');
    // Found by `using` or by the types of the arguments.
    if (calls && first == last) {
      for (const std::string& space : spaces_) insert(space + "::" + name, true, true);
    }
    insert(name, on_device, calls);
    read_types(tokens, first, last);
    if (calls && tokens.text(last).starts_with("atomicAdd") && adds_floats(tokens, last + 1)) insert_float_atomic();
    return last;
  }

  void insert(std::string name, bool on_device, bool calls) {
    for (std::size_t colon = 0; colon != std::string::npos; colon = name.find("::")) {
      if (colon != 0) name.erase(0, colon + 2);
      words_.insert(name);
      if (on_device) words_.insert("@" + name);
      if (calls) words_.insert("@" + name + "(");
      if (calls && name.ends_with('f')) words_.insert("@" + name.substr(0, name.size() - 1) + "(");
    }
  }

  void insert_float_atomic() { words_.insert("float atomic"); }

  void read_types(const Tokens& tokens, std::size_t first, std::size_t last) {
    const std::string_view name = tokens.text(last);
    if (name == "half" && first == last) {
      const bool opens = first == 0 || tokens.is(first - 1, '(') || tokens.is(first - 1, ',') ||
                         tokens.is(first - 1, '<') || tokens.is(first - 1, ';') || tokens.is(first - 1, '{') ||
                         tokens.is_identifier(first - 1);
      const bool points = tokens.is(last + 1, '*') || tokens.is(last + 1, '&');
      if (tokens.is_identifier(last + 1) || tokens.is(last + 1, '>') || (opens && points)) words_.insert("half type");
    }
    const bool is_atomic = (name == "atomic" || name == "atomic_ref") && !tokens.is(first, "std");
    if (is_atomic && tokens.is(last + 1, '<') && kind_of_type(tokens.text(last + 2)) == kFloating) {
      insert_float_atomic();
    }
  }

  /// The kinds of what the tokens [begin, end) name, subscripts left out.
  unsigned kinds_in(const Tokens& tokens, std::size_t begin, std::size_t end) const {
    unsigned kinds = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (tokens.is(i, '[') && tokens.match(i) != kNone) i = tokens.match(i);
      const auto found = declared_.find(tokens.text(i));
      if (tokens.is_identifier(i))
        kinds |= kind_of_type(tokens.text(i)) | (found == declared_.end() ? 0 : found->second);
    }
    return kinds;
  }

  /// Whether the call adds to a floating-point number; where nothing shows its type, whether the program has any.
  bool adds_floats(const Tokens& tokens, std::size_t open) const {
    const std::size_t close = tokens.match(open);
    if (close == kNone) return has_floats_;
    unsigned kinds = kinds_in(tokens, open + 1, translate::find_mark(tokens, open + 1, close, ','));
    if (kinds == 0) kinds = kinds_in(tokens, open + 1, close);
    return kinds == 0 ? has_floats_ : (kinds & kFloating) != 0;
  }

  std::vector<Macro> macros_;
  std::deque<std::string> texts_;
  NameMap aliases_{{"cg", "cooperative_groups"}};
  std::set<std::string, std::less<>> own_functions_;
  std::set<std::string, std::less<>> spaces_;  // namespaces whose functions kernels may call without naming them
  std::map<std::string, unsigned, std::less<>> declared_;
  bool has_floats_ = false;
  ProgramWords words_;
};

}  // namespace

ProgramWords words_of(const std::vector<std::string>& files) {
  return WordReader(files).read();
}

}  // namespace warpfiber::tools::fidelity
