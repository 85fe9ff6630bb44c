// SPDX-License-Identifier: Apache-2.0
//
// Looks each instruction up in the table and writes a call with its operands. An instruction that the table does not
// have makes the whole statement fail.
#include "translate/ptx/emit.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <set>
#include <vector>

#include "translate/ptx/matrix.hpp"
#include "translate/ptx/parse.hpp"
#include "translate/ptx/table.hpp"
#include "translate/ptx/video.hpp"

namespace warpfiber::translate::ptx {
namespace {

const std::string kSpace = "::warpfiber::ptx::";

std::string typed(const std::string& function, const std::string& type) {
  return kSpace + function + "<" + kSpace + type + ">";
}

class Emitter {
 public:
  explicit Emitter(unsigned operands) : operands_(operands) {}

  Emitted run(std::string_view text) {
    std::string all;
    int depth = 0;
    for (const Instruction& instruction : parse(text)) {
      const std::optional<std::string> statement = emit(instruction);
      depth += instruction.kind == InstructionKind::open ? 1 : instruction.kind == InstructionKind::close ? -1 : 0;
      if (!statement || depth < 0) return {"", instruction.source.empty() ? "}" : instruction.source};
      all += *statement;
    }
    return {depth == 0 ? all : "", depth == 0 ? "" : "{"};
  }

 private:
  using Text = std::optional<std::string>;

  Text emit(const Instruction& i) {
    switch (i.kind) {
      case InstructionKind::open: return "{ ";
      case InstructionKind::close: return "} ";
      case InstructionKind::registers: return registers(i);
      case InstructionKind::label: return label(i.opcode[0]) + ": ; ";
      case InstructionKind::instruction: break;
    }
    known_ = true;
    std::string statement = body(i);
    if (!known_) return std::nullopt;
    if (!i.guard.empty()) {
      const bool negated = i.guard[0] == '!';
      statement = std::string("if (") + (negated ? "!" : "") + value(i.guard.substr(negated ? 1 : 0), "pred") + ") { " +
                  statement + "} ";
    }
    return known_ ? Text(statement) : std::nullopt;
  }

  /// `.reg .b32 t, u<3>;`
  Text registers(const Instruction& i) {
    if (i.opcode.size() != 1 || !is_type(i.opcode[0]) || i.operands.empty()) return std::nullopt;
    std::string text;
    for (const std::string& operand : i.operands) {
      const std::size_t angle = operand.find('<');
      const std::string name = operand.substr(0, angle);
      const int count = angle == std::string::npos ? 0 : std::atoi(operand.c_str() + angle + 1);
      if (count > 256) return std::nullopt;
      for (int n = 0; n < std::max(count, 1); ++n) {
        const std::string full = angle == std::string::npos ? name : name + std::to_string(n);
        if (register_name(full).empty()) return std::nullopt;
        registers_.insert(full);
        text += "[[maybe_unused]] " + kSpace + i.opcode[0] + " " + register_name(full) + "{}; ";
      }
    }
    return text;
  }

  static std::string register_name(std::string_view name) { return own_name("warpfiber_r_", name); }
  static std::string label(std::string_view name) { return own_name("warpfiber_l_", name); }

  static std::string own_name(std::string_view prefix, std::string_view name) {
    std::string text(prefix);
    for (const char c : name) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '%' && c != '$') return "";
      text += c == '%' || c == '$' ? '_' : c;
    }
    return name.empty() ? "" : text;
  }

  std::string fail() {
    known_ = false;
    return "";
  }

  std::string body(const Instruction& i) {
    if (const auto of_matrices = find_matrix_form(i.opcode)) return matrices(i, *of_matrices);
    if (const auto of_video = find_video_form(i.opcode)) return video(i, *of_video);
    const std::optional<Form> form = find_form(i.opcode);
    if (!form) return fail();
    switch (form->shape) {
      case InstructionShape::nothing: return "; ";
      case InstructionShape::value: return value_form(i, *form);
      case InstructionShape::action: return action(i, *form);
      case InstructionShape::move: return move(i, *form);
      case InstructionShape::load: return load(i, *form);
      case InstructionShape::store: return store(i, *form);
      case InstructionShape::atomic: return atomic(i, *form, 1);
      case InstructionShape::reduction: return atomic(i, *form, 0);
      case InstructionShape::compare: return compare(i, *form);
      case InstructionShape::shuffle: return shuffle(i, *form);
      case InstructionShape::copy: return copy(i);
      case InstructionShape::barrier: return barrier(i, *form);
      case InstructionShape::branch:
        return i.operands.size() == 1 && !label(i.operands[0]).empty() ? "goto " + label(i.operands[0]) + "; " : fail();
    }
    return fail();
  }

  /// d = f<types>(sources...).
  std::string value_form(const Instruction& i, const Form& form) {
    if (i.operands.empty() || !takes(form, i.operands.size() - 1)) return fail();
    return assign(i.operands[0], call(form) + "(" + sources(i, form, 1) + ")");
  }

  std::string action(const Instruction& i, const Form& form) {
    if (!takes(form, i.operands.size())) return fail();
    return call(form) + "(" + sources(i, form, 0) + "); ";
  }

  static std::string call(const Form& form) {
    std::string text = kSpace + form.function;
    if (!form.types.empty()) text += "<" + kSpace + form.types[0];
    for (std::size_t n = 1; n < form.types.size(); ++n) text += ", " + kSpace + form.types[n];
    if (!form.order.empty()) text += ", " + kSpace + form.order;
    return text + (form.types.empty() ? "" : ">");
  }

  static bool takes(const Form& form, std::size_t sources) {
    const std::size_t least = form.sources.find('?');
    if (least == std::string::npos) return sources == form.sources.size();
    return sources >= least && sources < form.sources.size();
  }

  std::string sources(const Instruction& i, const Form& form, std::size_t first) {
    std::string text;
    std::size_t next = first;
    for (const char letter : form.sources) {
      if (letter == '?' || letter == '-') continue;
      if (next == i.operands.size()) break;
      text += next == first ? "" : ", ";
      text += source(i.operands[next++], form, letter);
    }
    return text;
  }

  std::string source(const std::string& operand, const Form& form, char letter) {
    switch (letter) {
      case 'm': return address(operand, "mbarrier", form.space);
      case 'S': return address(operand, "b8", "shared");
      case 'G': return address(operand, "b8", "");
      default: return value(operand, source_type(form, letter));
    }
  }

  static std::string source_type(const Form& form, char letter) {
    switch (letter) {
      case 'u': return "u32";
      case 'a': return "u64";
      case 'p': return "pred";
      case 'D': return form.types.front();
      case 'W': return "wide<" + kSpace + form.types.back() + ">";
      default: return form.types.back();
    }
  }

  /// An operand as something that can be assigned to: %N or a register.
  std::string place(const std::string& operand) {
    if (operand.size() > 1 && operand[0] == '%' && std::isdigit(static_cast<unsigned char>(operand[1])) != 0) {
      const std::string digits = operand.substr(1);
      const bool number = digits.size() < 4 && digits.find_first_not_of("0123456789") == std::string::npos;
      if (number && std::stoul(digits) < operands_) return "warpfiber_" + digits;
    }
    return registers_.contains(operand) ? register_name(operand) : fail();
  }

  std::string value(const std::string& operand, const std::string& type) {
    const bool negated = operand.starts_with('!');
    const std::string plain = operand.substr(negated ? 1 : 0);
    if (plain.empty()) return fail();
    return (negated ? "!" : "") + typed("read", negated ? "pred" : type) + "(" + raw(plain) + ")";
  }

  std::string raw(const std::string& operand) {
    if (registers_.contains(operand)) return register_name(operand);
    if (const std::string special = special_register(operand); !special.empty()) return kSpace + special + "()";
    const char first = operand[operand[0] == '-' && operand.size() > 1 ? 1 : 0];
    if (std::isdigit(static_cast<unsigned char>(first)) == 0) return place(operand);
    return literal(operand);
  }

  std::string literal(const std::string& operand) {
    const bool real =
        operand.size() > 2 && operand[0] == '0' && std::string_view("fFdD").find(operand[1]) != std::string_view::npos;
    const std::string digits = operand.substr(real ? 2 : 0);
    if (digits.find_first_not_of(real ? "0123456789abcdefABCDEF" : "0123456789abcdefABCDEFxXuU.-+") !=
        std::string::npos)
      return fail();
    if (!real) return operand;
    return kSpace + (std::tolower(operand[1]) == 'f' ? "bits_of_f32" : "bits_of_f64") + "(0x" + digits + ")";
  }

  std::string assign(const std::string& operand, const std::string& text) {
    if (operand == "_") return "(void)(" + text + "); ";
    return kSpace + "write(" + place(operand) + ", " + text + "); ";
  }

  std::vector<std::string> elements(const std::string& operand) const {
    if (operand.size() < 2 || operand.front() != '{' || operand.back() != '}') return {};
    return split_operands(std::string_view(operand).substr(1, operand.size() - 2));
  }

  /// mov, which also packs and unpacks: `mov.b64 {lo, hi}, %0`.
  std::string move(const Instruction& i, const Form& form) {
    if (i.operands.size() != 2) return fail();
    const std::string& type = form.types.back();
    const std::vector<std::string> to = elements(i.operands[0]);
    const std::vector<std::string> from = elements(i.operands[1]);
    if (to.empty() && from.empty()) return assign(i.operands[0], value(i.operands[1], type));
    const std::string part = half_of(type, std::max(to.size(), from.size()));
    if (part.empty() || (!to.empty() && !from.empty())) return fail();
    if (!to.empty()) {
      std::string text = "{ const auto warpfiber_whole = " + value(i.operands[1], type) + "; ";
      for (std::size_t n = 0; n < to.size(); ++n) {
        text += assign(to[n], kSpace + "part<" + kSpace + part + ">(warpfiber_whole, " + std::to_string(n) + ")");
      }
      return text + "} ";
    }
    std::string text;
    for (const std::string& each : from) text += (text.empty() ? "" : ", ") + value(each, part);
    return assign(i.operands[0], typed("pack", type) + "(" + text + ")");
  }

  /// The type of a part of a value in `count` parts.
  static std::string half_of(const std::string& type, std::size_t count) {
    const unsigned bits = bits_of(type);
    if ((count != 2 && count != 4) || bits / count < 8) return "";
    return "b" + std::to_string(bits / count);
  }

  /// `[%0 + 16]` as a pointer to elements of `type`.
  std::string address(const std::string& operand, const std::string& type, const std::string& space) {
    if (operand.size() < 3 || operand.front() != '[' || operand.back() != ']') return fail();
    const std::string inner = operand.substr(1, operand.size() - 2);
    const std::size_t sign = inner.find_first_of("+-", 1);
    const std::string base = raw(inner.substr(0, sign));
    std::string offset = sign == std::string::npos ? "0" : inner.substr(sign);
    if (offset.find_first_not_of("0123456789abcdefxABCDEFX+-") != std::string::npos) return fail();
    while (offset.size() > 1 && offset[0] == '+') offset.erase(0, 1);
    return kSpace + (space == "shared" ? "shared_address" : "address") + "<" + kSpace + type + ">(" + base + ", " +
           offset + ")";
  }

  std::string load(const Instruction& i, const Form& form) {
    if (i.operands.size() < 2) return fail();
    const std::string& type = form.types.back();
    const std::string from = address(i.operands[1], type, form.space);
    if (form.elements == 1) return assign(i.operands[0], kSpace + form.function + "(" + from + ")");
    const std::vector<std::string> to = elements(i.operands[0]);
    if (to.size() != form.elements) return fail();
    std::string text = "{ const auto* warpfiber_from = " + from + "; ";
    for (std::size_t n = 0; n < to.size(); ++n) {
      text += "const auto warpfiber_e" + std::to_string(n) + " = " + kSpace + form.function + "(warpfiber_from + " +
              std::to_string(n) + "); ";
    }
    for (std::size_t n = 0; n < to.size(); ++n) text += assign(to[n], "warpfiber_e" + std::to_string(n));
    return text + "} ";
  }

  std::string store(const Instruction& i, const Form& form) {
    if (i.operands.size() < 2) return fail();
    const std::string& type = form.types.back();
    const std::vector<std::string> from =
        form.elements == 1 ? std::vector<std::string>{i.operands[1]} : elements(i.operands[1]);
    if (from.size() != form.elements) return fail();
    std::string text;
    for (std::size_t n = 0; n < from.size(); ++n) {
      text += kSpace + form.function + "(" + address(i.operands[0], type, form.space) + " + " + std::to_string(n) +
              ", " + value(from[n], type) + "); ";
    }
    return text;
  }

  /// Each element of a vector is an atomic of its own.
  std::string atomic(const Instruction& i, const Form& form, std::size_t first) {
    if (i.operands.size() != form.sources.size() + 1 + first) return fail();
    const std::string& type = form.types.back();
    const std::string to = address(i.operands[first], type, form.space);
    if (form.elements != 1) return atomics(i, form, to, first);
    std::string text = call(form) + "(" + to;
    for (std::size_t n = 0; n < form.sources.size(); ++n) text += ", " + value(i.operands[first + 1 + n], type);
    return first == 0 ? text + "); " : assign(i.operands[0], text + ")");
  }

  std::string atomics(const Instruction& i, const Form& form, const std::string& to, std::size_t first) {
    const std::vector<std::string> from = elements(i.operands[first + 1]);
    const std::vector<std::string> old = first == 0 ? from : elements(i.operands[0]);
    if (from.size() != form.elements || old.size() != form.elements) return fail();
    std::string calls, results;
    for (std::size_t n = 0; n < from.size(); ++n) {
      const std::string name = "warpfiber_e" + std::to_string(n);
      const std::string one =
          call(form) + "(" + to + " + " + std::to_string(n) + ", " + value(from[n], form.types.back()) + "); ";
      calls += (first == 0 ? "" : "const auto " + name + " = ") + one;
      if (first != 0) results += assign(old[n], name);
    }
    return "{ " + calls + results + "} ";
  }

  /// `setp.lt.and.s32 p|q, a, b, c`, of which q is the opposite test or that of the upper halves; and `set.lt.u32.f32`,
  /// whose result is no predicate.
  std::string compare(const Instruction& i, const Form& form) {
    const bool combines = !form.combine.empty();
    if (i.operands.size() != (combines ? 4U : 3U)) return fail();
    const std::string& type = form.types.back();
    const bool of_pairs = type.ends_with("x2");
    std::string test =
        typed(form.function, type) + "(" + value(i.operands[1], type) + ", " + value(i.operands[2], type) + ")";
    std::string other = of_pairs ? test + ".high" : "!" + test;
    if (of_pairs) test += ".low";
    if (combines) {
      const std::string third = value(i.operands[3], "pred");
      test = "(" + test + " " + form.combine + " " + third + ")";
      other = "(" + other + " " + form.combine + " " + third + ")";
    }
    if (form.types.size() == 2)
      return assign(i.operands[0], typed("truth", form.types[0]) + "(" + test + (of_pairs ? ", " + other : "") + ")");
    const std::size_t bar = i.operands[0].find('|');
    if (bar == std::string::npos) return assign(i.operands[0], test);
    return "{ const bool warpfiber_p = " + test + ", warpfiber_q = " + other + "; " +
           assign(i.operands[0].substr(0, bar), "warpfiber_p") + assign(i.operands[0].substr(bar + 1), "warpfiber_q") +
           "} ";
  }

  /// `shfl.sync.down.b32 d|p, a, b, c, mask` and `match.all.sync.b32 d|p, a, mask`.
  std::string shuffle(const Instruction& i, const Form& form) {
    if (i.operands.size() != form.sources.size() + 1) return fail();
    std::string text =
        "{ bool warpfiber_p = false; const auto warpfiber_d = " + call(form) + "(warpfiber_p, " + sources(i, form, 1);
    const std::size_t bar = i.operands[0].find('|');
    text += "); " + assign(i.operands[0].substr(0, bar), "warpfiber_d");
    if (bar != std::string::npos) text += assign(i.operands[0].substr(bar + 1), "warpfiber_p");
    return text + "} ";
  }

  /// `cp.async.ca.shared.global [to], [from], bytes{, bytes from memory}`.
  std::string copy(const Instruction& i) {
    if (i.operands.size() != 3 && i.operands.size() != 4) return fail();
    std::string text =
        kSpace + "cp_async(" + address(i.operands[0], "b8", "shared") + ", " + address(i.operands[1], "b8", "");
    for (std::size_t n = 2; n < i.operands.size(); ++n) text += ", " + value(i.operands[n], "u32");
    return text + "); ";
  }

  /// `bar.sync a{, threads}` or `bar.arrive a, threads`.
  std::string barrier(const Instruction& i, const Form& form) {
    if (form.sources == "up") return barrier_reduction(i, form);
    const bool waits = form.sources.size() == 1;
    if (i.operands.size() != 2 && !(waits && i.operands.size() == 1)) return fail();
    std::string text = value(i.operands[0], "u32");
    if (i.operands.size() == 2) text += ", " + value(i.operands[1], "u32");
    return kSpace + (waits ? "bar_sync(" : "bar_arrive(") + text + "); ";
  }

  /// `bar.red.popc.u32 d, a{, threads}, {!}p`, and `.and` and `.or` of predicates.
  std::string barrier_reduction(const Instruction& i, const Form& form) {
    const std::string how = form.function.substr(form.function.rfind('_') + 1);
    const bool counts = how == "popc";
    const bool of_type = std::ranges::find(i.opcode, counts ? "u32" : "pred") != i.opcode.end();
    if (how == "red" || !of_type || (i.operands.size() != 3 && i.operands.size() != 4)) return fail();
    std::string text = value(i.operands[1], "u32") + ", ";
    if (i.operands.size() == 4) text += value(i.operands[2], "u32") + ", ";
    return assign(i.operands[0], kSpace + "bar_red_" + how + "(" + text + value(i.operands.back(), "pred") + ")");
  }

  /// d = f(sources...), where an operand may be a list of registers.
  std::string matrices(const Instruction& i, const MatrixForm& form) {
    const std::size_t results = form.result.has_value() ? 1 : 0;
    if (i.operands.size() != form.sources.size() + results) return fail();
    std::string text = kSpace + form.call + "(";
    for (std::size_t n = 0; n < form.sources.size(); ++n)
      text += (n == 0 ? "" : ", ") + matrix_source(i.operands[n + results], form.sources[n]);
    text += ")";
    if (!form.result.has_value()) return text + "; ";
    if (form.result->kind == MatrixOperandKind::value) return assign(i.operands[0], text);
    const std::vector<std::string> to = registers_of(i.operands[0]);
    if (to.size() != form.result->count) return fail();
    text = "{ const auto warpfiber_d = " + text + "; ";
    for (std::size_t n = 0; n < to.size(); ++n) text += assign(to[n], "warpfiber_d[" + std::to_string(n) + "]");
    return text + "} ";
  }

  std::string video(const Instruction& i, const VideoForm& form) {
    const std::optional<VideoCall> call = call_of_video(form, i.operands);
    if (!call) return fail();
    std::string text;
    for (const std::string& source : call->sources) text += (text.empty() ? "" : ", ") + value(source, "u32");
    return assign(call->result, kSpace + call->function + "(" + text + ")");
  }

  std::string matrix_source(const std::string& operand, const MatrixOperand& form) {
    if (form.kind == MatrixOperandKind::address) return address(operand, form.type, "shared");
    if (form.kind == MatrixOperandKind::value) return value(operand, form.type);
    const std::vector<std::string> from = registers_of(operand);
    if (from.size() != form.count) return fail();
    std::string text;
    for (const std::string& each : from) text += (text.empty() ? "{{" : ", ") + value(each, form.type);
    return text + "}}";
  }

  /// A list of one register may be that register.
  std::vector<std::string> registers_of(const std::string& operand) const {
    return operand.starts_with('{') ? elements(operand) : std::vector<std::string>{operand};
  }

  unsigned operands_;
  std::set<std::string> registers_;
  bool known_ = true;
};

}  // namespace

Emitted emit(std::string_view text, unsigned operands) {
  return Emitter(operands).run(text);
}

}  // namespace warpfiber::translate::ptx
