// SPDX-License-Identifier: Apache-2.0
//
// Kernels. The function stays, with its linkage, name and type, and becomes what launches it; its body stays where it
// is, as the body of a lambda without captures, so that the compiler can inline it into the loop that runs the threads.
// For a debugger it is a function with the kernel's name.
#include <cstdint>
#include <string>
#include <utility>

#include "translate/passes.hpp"
#include "translate/text/parameters.hpp"

namespace warpfiber::translate {
namespace {

bool is_grid_constant(const Tokens& tokens, const Parameter& parameter) {
  for (std::size_t i = parameter.declaration.begin; i < parameter.declaration.end; ++i) {
    if (tokens[i].keyword == Keyword::grid_constant) return true;
  }
  return false;
}

/// What the parameters of a kernel take, one behind the other, as an expression of its host stub.
class ParameterBytes {
 public:
  void add(const Tokens& tokens, const Parameter& parameter, const std::string& name) {
    may_be_many_ |= !is_small(tokens, parameter);
    if (parameter.is_pack) {
      text_ = "((" + text_ + ") + ... + sizeof(decltype(" + name + ")))";
      return;
    }
    const std::string type = parameter.is_reference ? "void*" : "decltype(" + name + ")";
    if (text_ != "0")
      text_ = "(" + text_ + " + alignof(" + type + ") - 1) / alignof(" + type + ") * alignof(" + type + ") + ";
    text_ = (text_ == "0" ? "" : text_) + "sizeof(" + type + ")";
  }

  /// A declaration that does not compile where they are more than a kernel may have; the message is that of ptxas.
  /// Source: CUDA C++ Programming Guide, "Function Parameters", of compute capability 7.0 and later.
  std::string must_fit(const std::string& kernel) const {
    if (!may_be_many_) return {};
    return "static_assert(" + text_ +
           " <= 32764, \"Formal parameter space overflowed (max 32764 bytes allowed) in function " + kernel + "\"); ";
  }

 private:
  /// A pointer or a number, whatever its type is called elsewhere.
  static bool is_small(const Tokens& tokens, const Parameter& parameter) {
    if (parameter.is_pack) return false;
    if (parameter.is_reference) return true;
    for (std::size_t i = parameter.declaration.begin; i < parameter.declaration.end; ++i) {
      if (tokens.is(i, '*') || tokens.is(i, '[') || is_builtin_type(tokens, i)) return true;
      if (tokens.is(i, '<')) return false;
    }
    return false;
  }

  std::string text_ = "0";
  bool may_be_many_ = false;
};

/// One kernel with a body.
class KernelRewrite {
 public:
  KernelRewrite(TranslationUnit& program, const Function& function, const std::vector<std::string>* types,
                bool may_exit, std::uint64_t reached)
      : p_(program),
        t_(program.tokens),
        f_(function),
        straight_line_types_(types),
        may_exit_(may_exit),
        reached_(reached) {}

  void rewrite() {
    std::string declared;
    std::string arguments;
    std::string signature;
    std::string checks;
    ParameterBytes bytes;
    unsigned line = 0;  // of the parameter before, whose messages name where the user has it
    for (const Parameter& parameter : read_parameters(t_, {f_.open + 1, f_.close})) {
      const std::string name = name_of(parameter);
      const std::size_t place = p_.begin_of(parameter.declaration.begin);
      if (!declared.empty()) declared += ", ";
      if (const unsigned its = locate(t_, place).line; std::exchange(line, its) != its) {
        declared += continue_at(t_, place);
      }
      const bool shared = is_grid_constant(t_, parameter);
      declared += declaration(parameter, name, shared ? "&" : "");
      signature += (signature.empty() ? "" : ", ") + declaration(parameter, name);
      if (shared) {
        checks += continue_at(t_, place) + must_be_const(parameter, name);
        keep_type(parameter);
      }
      arguments += ", " + parameter.as_argument(name);
      bytes.add(t_, parameter, name);
      hides_ |= name == t_.text(simple_name());
    }
    keep_function_name();
    if (p_.options.checked) emit_returns();
    const std::size_t begin = p_.end_of(f_.body.begin);
    const std::size_t end = p_.begin_of(f_.body.end - 1);
    const bool named = p_.options.named_bodies && !hides_ && !mentions_itself();
    const std::string kernel(t_.text(simple_name()));
    const std::string body = named ? " struct { static void " + kernel + "(" + declared + ") {"
                                   : " auto warpfiber_body = [](" + declared + ")" +
                                         (may_exit_ && !p_.options.named_bodies ? kPartOfLoop : "") + " -> void {";
    const std::string opened = body + (may_exit_ ? " try {" : "");
    p_.edits.insert(begin, declared.empty() ? opened : hiding(t_, begin, opened), kLayerKernel);
    p_.keep_columns(begin);
    // Compilers that show the line of a message in the translation show nothing of this.
    const bool is_alone = t_.source()[t_.source().find_last_not_of(" \t", end - 1)] == '\n';
    if (checks.empty()) signature.clear();
    checks += must_fit(bytes);
    if (!checks.empty()) checks += continue_at(t_, end);
    p_.edits.insert(end,
                    (is_alone ? "" : continue_at(t_, end)) + (may_exit_ ? kBehindExit : "") +
                        (named ? end_of_named(kernel) : "}; ") + checks + about(signature) +
                        "::warpfiber::cuda::enter_kernel<warpfiber_about>(warpfiber_body" + arguments + "); ",
                    kLayerKernelEnd);
    p_.kernels.push_back(p_.lines_of(t_.text(simple_name()), {f_.open, f_.body.end}));
  }

  /// Only in inline functions does clang++ name what is local to the body as g++ does, and the same in each
  /// compilation: shared variables are found by these names.
  void become_inline(const char* how) {
    if (!f_.templates.empty() && !f_.templates.back().empty()) return;  // as templates are
    std::size_t i = f_.begin;
    while (t_[i].keyword != Keyword::global) ++i;
    if (!t_.is(i + 1, '[')) p_.edits.insert(p_.end_of(i), how);
  }

  /// Leaves the kernel as it is, and its qualifiers, which no longer stand with it, to be looked at.
  void keep() {
    std::string text;
    each_bound([&](Keyword, TokenRange list) {
      for (const TokenRange& argument : split_commas(t_, list.begin, list.end)) {
        if (t_.is(argument.begin, '(')) continue;
        text += " static_assert((" + continue_at(t_, p_.begin_of(argument.begin)) +
                flat_text(t_, argument.begin, argument.end) + ") || true);";
      }
    });
    ParameterBytes bytes;
    for (const Parameter& parameter : read_parameters(t_, {f_.open + 1, f_.close})) {
      bytes.add(t_, parameter, name_of(parameter));
      if (parameter.name == kNone || !is_grid_constant(t_, parameter)) continue;
      text +=
          continue_at(t_, p_.begin_of(parameter.name)) + must_be_const(parameter, std::string(t_.text(parameter.name)));
    }
    text += must_fit(bytes);
    const std::size_t begin = p_.end_of(f_.body.begin);
    if (!text.empty()) p_.edits.insert(begin, text + continue_at(t_, begin));
  }

 private:
  /// Lanes converge where their call paths are the same: the body is a part of the loop that runs threads, as that of
  /// other kernels, though g++ would leave one that catches a function of its own.
  static constexpr const char* kPartOfLoop = " __attribute__((always_inline))";
  /// An `exit` comes here from any depth of calls, and the thread has returned.
  static constexpr const char* kBehindExit = "} catch (const ::warpfiber::ptx::ThreadExit&) {} ";

  /// A class within a function may have functions with names; the body's is that of the kernel.
  static std::string end_of_named(const std::string& kernel) {
    return "} static constexpr auto warpfiber_function() { return &" + kernel +
           "; } } warpfiber_kernel; [[maybe_unused]] constexpr "
           "::warpfiber::cuda::KernelFunction<decltype(warpfiber_kernel)> warpfiber_body{}; ";
  }

  /// There the name would be that of the body.
  bool mentions_itself() const {
    for (std::size_t i = f_.body.begin; i < f_.body.end; ++i) {
      if (t_.text(i) == t_.text(simple_name())) return true;
    }
    return false;
  }

  /// The name of a parameter; one without gets a name, in the function's own list too.
  std::string name_of(const Parameter& parameter) {
    if (parameter.name != kNone) return std::string(t_.text(parameter.name));
    std::string name = "warpfiber_" + std::to_string(++unnamed_);
    p_.edits.insert(p_.end_of(parameter.place - 1), " " + name);
    return name;
  }

  std::string must_fit(const ParameterBytes& bytes) const {
    const std::string check = bytes.must_fit(std::string(t_.text(simple_name())));
    return check.empty() ? check : continue_at(t_, p_.begin_of(f_.name.begin)) + check;
  }

  /// The parameter as the lambda declares it, with `reference` before its name.
  std::string declaration(const Parameter& parameter, const std::string& name, const char* reference = "") const {
    if (parameter.is_auto) return "decltype(" + name + ") " + reference + name;
    const TokenRange& range = parameter.declaration;
    const bool named = parameter.name != kNone;
    if (named && *reference == '\0') return flat_text(t_, range.begin, range.end);
    const bool after_dots = named && t_.is(parameter.name - 1, "...");
    const std::size_t place = !named ? parameter.place : after_dots ? parameter.name - 1 : parameter.name;
    return flat_text(t_, range.begin, place) + " " + reference + (named ? "" : name) + flat_text(t_, place, range.end);
  }

  static std::string must_be_const(const Parameter& parameter, const std::string& name) {
    const std::string is_const = "__is_same(decltype(" + name + "), const decltype(" + name + "))";
    return "static_assert(" + (parameter.is_pack ? "(" + is_const + " && ...)" : is_const) +
           ", \"a parameter annotated with __grid_constant__ must have const-qualified type\"); ";
  }

  /// decltype of a parameter that has become a reference is still the parameter's type.
  void keep_type(const Parameter& parameter) {
    if (parameter.name == kNone) return;
    for (std::size_t i = f_.body.begin; i + 3 < f_.body.end; ++i) {
      if (!t_.is(i, "decltype") || !t_.is(i + 1, '(') || !t_.is(i + 3, ')')) continue;
      if (t_.text(i + 2) != t_.text(parameter.name)) continue;
      p_.edits.insert(p_.begin_of(i), "::warpfiber::cuda::Referred<");
      p_.edits.insert(p_.end_of(i + 3), ">");
      p_.keep_columns(p_.end_of(i + 3));
    }
  }

  std::size_t simple_name() const {
    std::size_t i = f_.name.begin;
    while (i + 2 < f_.name.end && t_.is(i + 1, "::")) i += 2;
    return i;
  }

  /// The kernel's name with its template arguments, as its own body can write it.
  std::string reference() {
    std::string text = flat_text(t_, f_.name.begin, f_.name.end);
    if (!f_.templates.empty() && !f_.templates.back().empty()) {
      std::string arguments;
      bool packed = false;  // what follows a pack is deduced
      for (const Parameter& parameter : read_template_parameters(t_, f_.templates.back())) {
        const std::string name = name_of(parameter);
        if (!packed) arguments += (arguments.empty() ? "" : ", ") + parameter.as_argument(name);
        packed |= parameter.is_pack;
        hides_ |= name == t_.text(simple_name());
      }
      text += "<" + arguments + ">";
    }
    return hides_ ? enclosing() + text : text;
  }

  /// `::a::b::`, for a kernel whose name a parameter has too.
  std::string enclosing() const {
    std::string path = "::";
    for (std::size_t scope = f_.scope; scope != 0; scope = p_.outline.scopes[scope].parent) {
      const TokenRange& name = p_.outline.scopes[scope].name;
      if (!name.empty()) path.insert(0, "::" + flat_text(t_, name.begin, name.end));
    }
    return path;
  }

  /// `signature`: the parameters, where the lambda has others.
  std::string about(const std::string& signature) {
    const std::string kernel = reference();
    return "struct warpfiber_about { static constexpr const char* name() { return \"" +
           std::string(t_.text(simple_name())) +
           "\"; } static constexpr ::warpfiber::cuda::Bounds bounds() { return ::warpfiber::cuda::Bounds()" + bounds() +
           "; } " + (p_.options.checked ? lines() : "") + straight_line() + reached() +
           (signature.empty() ? "" : "using Signature = void(" + signature + "); ") + "static " +
           (signature.empty() ? "::warpfiber::cuda::SignatureOf<decltype(warpfiber_body)>" : "Signature") +
           "* address() { return &" + kernel + "; } }; ";
  }

  /// What of the body is not for words to say, its types, the compiler looks at.
  std::string straight_line() const {
    if (straight_line_types_ == nullptr) return "";
    std::string types;
    for (const std::string& type : *straight_line_types_) types += (types.empty() ? "" : ", ") + type;
    return "static constexpr bool is_straight_line() { return ::warpfiber::cuda::kBuiltInOperators<" + types + ">; } ";
  }

  std::string reached() const {
    if (reached_ == 0) return "";
    return "static constexpr unsigned long long reached() { return " + std::to_string(reached_) + "; } ";
  }

  /// Stands on the line of the closing brace.
  std::string lines() const {
    return "static constexpr ::warpfiber::cuda::Lines lines() { return {__builtin_FILE(), " +
           std::to_string(locate(t_, p_.begin_of(f_.body.begin)).line) + ", __builtin_LINE(), " +
           (ends_without_call(t_, f_.body) ? "true" : "false") + "}; } ";
  }

  std::string bounds() const {
    std::string text;
    each_bound([&](Keyword word, TokenRange list) {
      text += std::string(".") + setter(word) + "(" + bound_arguments(word, list) + ")";
    });
    return text;
  }

  template <class Action>
  void each_bound(const Action& action) const {
    for (std::size_t i = f_.begin; i < f_.body.begin; ++i) {
      const std::size_t close = t_.match(i + 1);
      if (has_arguments(t_[i].keyword) && t_.is(i + 1, '(') && close != kNone)
        action(t_[i].keyword, TokenRange{i + 2, close});
    }
  }

  static const char* setter(Keyword word) {
    switch (word) {
      case Keyword::launch_bounds: return "launch";
      case Keyword::cluster_dims: return "cluster";
      case Keyword::maxnreg: return "registers";
      default: return "block_size";
    }
  }

  /// __block_size__ has tuples, `(128, 1, 1), (2, 1, 1)`, or numbers.
  std::string bound_arguments(Keyword word, TokenRange list) const {
    if (word != Keyword::block_size || !t_.is(list.begin, '(')) return flat_text(t_, list.begin, list.end);
    std::string text;
    for (const TokenRange& tuple : split_commas(t_, list.begin, list.end)) {
      text += (text.empty() ? "dim3" : ", dim3") + flat_text(t_, tuple.begin, tuple.end);
    }
    return text;
  }

  /// The names that the compiler gives functions are those of the kernel, not of the lambda.
  void keep_function_name() {
    static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"__func__", "warpfiber_func"},
        {"__FUNCTION__", "warpfiber_function"},
        {"__PRETTY_FUNCTION__", "warpfiber_pretty_function"}};
    for (const auto& [name, ours] : kNames) {
      bool used = false;
      for (std::size_t i = f_.body.begin; i < f_.body.end; ++i) {
        if (!t_.is(i, name)) continue;
        p_.edits.replace(p_.begin_of(i), p_.end_of(i), std::string(ours));
        used = true;
      }
      if (!used) continue;
      p_.edits.insert(p_.end_of(f_.body.begin),
                      " static constexpr const auto& " + std::string(ours) + " = " + std::string(name) + ";",
                      kLayerKernel);
    }
  }

  /// `return;` passes its line, for reports about threads that others wait for.
  void emit_returns() {
    for (std::size_t i = f_.body.begin; i < f_.body.end; ++i) {
      if (const std::size_t behind = behind_other_function(i); behind != i) {
        i = behind - 1;
      } else if (t_.is(i, "return") && t_.is(i + 1, ';')) {
        p_.edits.insert(p_.end_of(i), " ::warpfiber::detail::returning()");
      } else if (t_.is(i, "return")) {
        p_.edits.insert(p_.end_of(i), " ::warpfiber::detail::returning(),");  // a call that returns nothing
      }
    }
  }

  /// Behind the lambda or the body of the class that begins at token `i`; `i` where none does.
  std::size_t behind_other_function(std::size_t i) const {
    if (t_.is(i, '[')) {
      const Lambda lambda = read_lambda(t_, i);
      return lambda.body.empty() ? i : lambda.body.end;
    }
    if (!t_.is(i, "struct") && !t_.is(i, "class") && !t_.is(i, "union")) return i;
    std::size_t at = i + 1;
    while (at < f_.body.end && !t_.is(at, ';') && !t_.is(at, '{')) at = after_item(t_, at);
    return at < f_.body.end && t_.is(at, '{') ? after_group(t_, at) : i;
  }

  TranslationUnit& p_;
  const Tokens& t_;
  const Function& f_;
  const std::vector<std::string>* straight_line_types_;  // null: the kernel is no straight-line code
  const bool may_exit_;
  const std::uint64_t reached_;  // parameters by their bits (reached_pointers.cpp)
  unsigned unnamed_ = 0;
  bool hides_ = false;
};

bool has_token(const Tokens& tokens, TokenRange range, std::string_view spelling) {
  for (std::size_t i = range.begin; i < range.end; i = after_item(tokens, i)) {
    if (tokens.is(i, spelling)) return true;
  }
  return false;
}

/// What is wrong with the type that the function returns, or nothing.
const char* wrong_result(const Tokens& tokens, const Function& function) {
  bool builtin = false;
  bool is_void = false;
  bool is_pointer = false;
  for (std::size_t i = function.specifiers; i < function.name.begin; i = after_item(tokens, i)) {
    is_void |= tokens.is(i, "void");
    builtin |= is_builtin_type(tokens, i);
    is_pointer |= tokens.is(i, '*') || tokens.is(i, '&');
  }
  const std::size_t end = function.body.empty() ? function.end : function.body.begin;
  if (has_token(tokens, {function.specifiers, function.name.begin}, "auto")) {
    if (!has_token(tokens, {function.close + 1, end}, "->"))
      return "a __global__ function must not have a deduced return type";
    is_void = has_token(tokens, {function.close + 1, end}, "void");
    // A type that is computed is the compiler's to judge.
    builtin = is_builtin_type(tokens, end - 1) && tokens.is(end - 2, "->");
  }
  if (is_pointer || (builtin && !is_void)) return "a __global__ function must have a void return type";
  return nullptr;
}

/// An error of the kernel's declaration, or nothing.
const char* find_mistake(const TranslationUnit& program, const Function& function) {
  if (program.outline.in_class(function) && !function.is_friend) {
    return "A __global__ function or function template cannot be a member function";
  }
  if (function.qualifiers.has(Keyword::device) || function.qualifiers.has(Keyword::host)) {
    return "illegal combination of memory qualifiers";
  }
  if (const char* wrong = wrong_result(program.tokens, function)) return wrong;
  if (has_ellipsis(program.tokens, {function.open + 1, function.close}))
    return "a __global__ function cannot have ellipsis";
  for (const Parameter& parameter : read_parameters(program.tokens, {function.open + 1, function.close})) {
    if (parameter.is_reference && is_grid_constant(program.tokens, parameter))
      return "a parameter annotated with __grid_constant__ must not have reference type";
  }
  if (program.outline.in_class(function) && !function.body.empty()) {
    return "a __global__ function that is defined in a friend declaration is not supported; define it outside of the "
           "class";
  }
  return nullptr;
}

}  // namespace

void rewrite_kernels(TranslationUnit& program) {
  // Checked programs report the thread of each access, or of each statement.
  const TranslateOptions& how = program.options;
  const bool exits = !how.as_written && may_exit(program);
  const bool asks = !how.checked && !how.statements && !how.as_written && !exits;
  const auto straight_line = asks ? straight_line_kernels(program) : decltype(straight_line_kernels(program)){};
  const bool for_regions = program.is_for_regions();
  const auto reached = pointers_only_reached(program);
  for (const Function& function : program.outline.functions) {
    if (!function.qualifiers.has(Keyword::global)) continue;
    if (const char* mistake = find_mistake(program, function)) {
      program.error(function.name.begin, mistake);
    } else if (!function.body.empty()) {
      const auto found = straight_line.find(&function);
      // Checked programs see host memory by hooks.
      const bool guards = !how.checked && !how.as_written && !for_regions;
      KernelRewrite kernel(program, function, found == straight_line.end() ? nullptr : &found->second, exits,
                           guards ? reached(function) : 0);
      program.options.as_written ? kernel.keep() : kernel.rewrite();
      if (for_regions) {
        kernel.become_inline(" inline");
      } else if (how.inline_kernels && !how.as_written) {
        kernel.become_inline(" inline __attribute__((used))");  // other files may launch it
      }
    }
  }
}

}  // namespace warpfiber::translate
