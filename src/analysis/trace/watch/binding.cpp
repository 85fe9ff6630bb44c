// SPDX-License-Identifier: Apache-2.0
// A name is a parameter of the kernel, else a __shared__ variable, of the kernel itself if it has one, else a variable
// of the device: as in C++, where inner scopes hide outer ones.
#include "trace/watch/binding.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "check/objects/argument_names.hpp"
#include "check/objects/dynamic_names.hpp"
#include "check/objects/named_memory.hpp"
#include "check/objects/reachable_memory.hpp"
#include "memory/objects.hpp"
#include "memory/shared_arena.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::trace {
namespace {

using record::LayoutForm;
using record::NumberForm;
using record::ReasonKind;
using record::TypeLayout;

enum class BoundForm : std::uint8_t { integer, place, pointer };

/// A part of an expression that has a meaning.
struct BoundPart {
  BoundForm form = BoundForm::integer;
  BoundNode node{};                  // of a place and a pointer: the address
  const TypeLayout* type = nullptr;  // of a place its own, of a pointer what it points to
};

struct BuiltIn {
  std::string_view name;
  std::array<BoundOp, 3> ops;
};
constexpr BuiltIn kIndices[] = {{"threadIdx", {BoundOp::thread_x, BoundOp::thread_y, BoundOp::thread_z}},
                                {"blockIdx", {BoundOp::block_x, BoundOp::block_y, BoundOp::block_z}}};

BoundNode constant(std::int64_t number) {
  return {.op = BoundOp::constant, .number = number};
}

BoundNode node(BoundOp op, BoundNode first, std::int64_t number = 0) {
  BoundNode made{.op = op, .number = number};
  made.operands.push_back(std::move(first));
  return made;
}

BoundNode node(BoundOp op, BoundNode first, BoundNode second, std::int64_t number = 0) {
  BoundNode made = node(op, std::move(first), number);
  made.operands.push_back(std::move(second));
  return made;
}

bool depends_on_thread(const BoundNode& node) {
  return node.op == BoundOp::thread_x || node.op == BoundOp::thread_y || node.op == BoundOp::thread_z ||
         std::ranges::any_of(node.operands, depends_on_thread);
}

bool is_built_in(std::string_view name) {
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
}

std::string_view operator_of(WatchNodeKind kind) {
  switch (kind) {
    case WatchNodeKind::add: return " + ";
    case WatchNodeKind::subtract: return " - ";
    case WatchNodeKind::multiply: return " * ";
    case WatchNodeKind::divide: return " / ";
    default: return " % ";
  }
}

/// The source of an expression, for messages.
std::string text_of(const WatchNode& part) {
  const auto operand = [&part](std::size_t which) { return text_of(part.operands[which]); };
  switch (part.kind) {
    case WatchNodeKind::number: return std::to_string(part.number);
    case WatchNodeKind::name: return part.name;
    case WatchNodeKind::member: return operand(0) + "." + part.name;
    case WatchNodeKind::arrow: return operand(0) + "->" + part.name;
    case WatchNodeKind::index: return operand(0) + "[" + operand(1) + "]";
    case WatchNodeKind::dereference: return "*" + operand(0);
    case WatchNodeKind::negate: return "-" + operand(0);
    default: return "(" + operand(0) + std::string(operator_of(part.kind)) + operand(1) + ")";
  }
}

/// A member, or one of a base class or an unnamed part, with its offset in all.
std::optional<record::MemberLayout> find_member(const TypeLayout& type, const std::string& name) {
  for (const record::MemberLayout& member : type.members) {
    if (member.name == name) return member;
    if (!member.name.empty() || member.type == nullptr) continue;
    std::optional<record::MemberLayout> inner = find_member(*member.type, name);
    if (!inner.has_value()) continue;
    inner->offset += member.offset;
    return inner;
  }
  return std::nullopt;
}

std::vector<std::string> member_names(const TypeLayout& type) {
  std::vector<std::string> names;
  for (const record::MemberLayout& member : type.members) {
    if (!member.name.empty())
      names.push_back(member.name);
    else if (member.type != nullptr)
      std::ranges::move(member_names(*member.type), std::back_inserter(names));
  }
  return names;
}

class Binder {
 public:
  explicit Binder(const WatchLaunch& launch) : launch_(launch) {}

  base::Result<BoundWatch, record::Reason> bind(const WatchExpression& expression) {
    const std::string& text = expression.text;
    const BoundPart part = bind(expression.root);
    if (error_.empty()) check(part, text);
    if (!error_.empty()) return std::move(error_);
    const bool of_thread = depends_on_thread(part.node);
    return BoundWatch{part.node, part.type, of_thread};
  }

 private:
  BoundPart fail(record::Reason why) {
    if (error_.empty()) error_ = std::move(why);
    return {};
  }

  /// Whether the whole expression is a number or a pointer that can be read.
  void check(const BoundPart& part, const std::string& text) {
    constexpr std::uint64_t kMostBytes = 8;
    if (part.form != BoundForm::place) {
      fail({ReasonKind::watch_no_place, text});
    } else if (part.type == nullptr || part.type->form == LayoutForm::opaque) {
      fail({ReasonKind::watch_no_type, text});
    } else if (part.type->form == LayoutForm::array) {
      fail({ReasonKind::watch_is_array, text, text});
    } else if (part.type->form == LayoutForm::record) {
      fail({ReasonKind::watch_is_structure, text, member_names(*part.type)});
    } else if (part.type->bytes > kMostBytes ||
               (part.type->form == LayoutForm::number && part.type->encoding == NumberForm::none)) {
      fail({ReasonKind::watch_too_wide, text, part.type->bytes});
    }
  }

  BoundPart bind(const WatchNode& part) {
    switch (part.kind) {
      case WatchNodeKind::number: return {.node = constant(part.number)};
      case WatchNodeKind::name: return name(part.name);
      case WatchNodeKind::member: return member(part);
      case WatchNodeKind::arrow: return member_of(pointee(part.operands[0]), part);
      case WatchNodeKind::index: return element(part);
      case WatchNodeKind::dereference: return pointee(part.operands[0]);
      case WatchNodeKind::negate: return {.node = node(BoundOp::negate, integer(part.operands[0]))};
      case WatchNodeKind::add: return added(part, BoundOp::add);
      case WatchNodeKind::subtract: return added(part, BoundOp::subtract);
      case WatchNodeKind::multiply: return arithmetic(part, BoundOp::multiply);
      case WatchNodeKind::divide: return arithmetic(part, BoundOp::divide);
      case WatchNodeKind::remainder: return arithmetic(part, BoundOp::remainder);
    }
    __builtin_unreachable();
  }

  BoundPart arithmetic(const WatchNode& part, BoundOp op) {
    BoundNode left = integer(part.operands[0]);
    return {.node = node(op, std::move(left), integer(part.operands[1]))};
  }

  /// Of integers, or of a pointer and an integer.
  BoundPart added(const WatchNode& part, BoundOp op) {
    BoundPart left = bind(part.operands[0]);
    if (is_pointer(left)) {
      BoundNode by = integer(part.operands[1]);
      if (op == BoundOp::subtract) by = node(BoundOp::negate, std::move(by));
      return moved(as_pointer(std::move(left), part.operands[0]), std::move(by));
    }
    if (error_.empty() && op == BoundOp::add && left.form == BoundForm::integer) {
      BoundPart right = bind(part.operands[1]);
      if (is_pointer(right)) return moved(as_pointer(std::move(right), part.operands[1]), std::move(left.node));
      return {.node = node(op, std::move(left.node), as_integer(std::move(right), part.operands[1]))};
    }
    BoundNode value = as_integer(std::move(left), part.operands[0]);
    return {.node = node(op, std::move(value), integer(part.operands[1]))};
  }

  static bool is_pointer(const BoundPart& part) {
    if (part.form == BoundForm::pointer) return true;
    if (part.form != BoundForm::place || part.type == nullptr) return false;
    return part.type->form == LayoutForm::pointer || array_in(part).has_value();
  }

  static BoundPart moved(BoundPart pointer, BoundNode by) {
    const auto bytes = static_cast<std::int64_t>(pointer.type == nullptr ? 0 : pointer.type->bytes);
    pointer.node = node(BoundOp::element, std::move(pointer.node), std::move(by), bytes);
    return pointer;
  }

  /// The array that the place is; what has but one array inside counts as it, as std::array does.
  static std::optional<BoundPart> array_in(const BoundPart& part) {
    if (part.form != BoundForm::place || part.type == nullptr) return std::nullopt;
    if (part.type->form == LayoutForm::array) return part;
    if (part.type->form != LayoutForm::record || part.type->members.size() != 1) return std::nullopt;
    const record::MemberLayout& only = part.type->members.front();
    if (!only.name.empty()) return std::nullopt;
    return array_in(
        {BoundForm::place, node(BoundOp::shift, part.node, static_cast<std::int64_t>(only.offset)), only.type});
  }

  BoundPart as_pointer(BoundPart part, const WatchNode& source) {
    if (!error_.empty() || part.form == BoundForm::pointer) return part;
    if (const std::optional<BoundPart> array = array_in(part)) {
      if (array->type->element == nullptr) return fail({ReasonKind::watch_no_type, text_of(source)});
      return {BoundForm::pointer, array->node, array->type->element};
    }
    if (part.form == BoundForm::place && part.type == nullptr)
      return fail({ReasonKind::watch_no_type, text_of(source)});
    if (part.form != BoundForm::place || part.type->form != LayoutForm::pointer)
      return fail({ReasonKind::watch_no_pointer, text_of(source)});
    const TypeLayout* target = symbols::Symboliser::of_process().pointee(*part.type);
    if (target == nullptr || target->bytes == 0) return fail({ReasonKind::watch_no_target, text_of(source)});
    return {BoundForm::pointer, node(BoundOp::target, std::move(part.node)), target};
  }

  BoundPart pointee(const WatchNode& source) {
    BoundPart pointer = as_pointer(bind(source), source);
    pointer.form = BoundForm::place;
    return pointer;
  }

  BoundPart element(const WatchNode& part) {
    BoundPart pointer = as_pointer(bind(part.operands[0]), part.operands[0]);
    BoundNode index = integer(part.operands[1]);
    if (!error_.empty()) return {};
    BoundPart made = moved(std::move(pointer), std::move(index));
    made.form = BoundForm::place;
    return made;
  }

  BoundNode integer(const WatchNode& source) { return as_integer(bind(source), source); }

  BoundNode as_integer(BoundPart part, const WatchNode& source) {
    if (!error_.empty() || part.form == BoundForm::integer) return std::move(part.node);
    const bool is_integer =
        part.form == BoundForm::place && part.type != nullptr && part.type->form == LayoutForm::number &&
        part.type->bytes <= sizeof(std::int64_t) &&
        (part.type->encoding == NumberForm::signed_integer || part.type->encoding == NumberForm::unsigned_integer);
    if (!is_integer) return fail({ReasonKind::watch_no_integer, text_of(source)}).node;
    BoundNode loaded = node(BoundOp::load, std::move(part.node));
    loaded.type = part.type;
    return loaded;
  }

  BoundPart member(const WatchNode& part) {
    const WatchNode& of = part.operands[0];
    if (of.kind == WatchNodeKind::name && is_built_in(of.name)) return coordinate(of.name, part.name);
    BoundPart whole = bind(of);
    if (whole.form == BoundForm::place && whole.type != nullptr && whole.type->form == LayoutForm::pointer) {
      if (!whole.type->is_reference) return fail({ReasonKind::watch_is_pointer, text_of(of), text_of(of), part.name});
      whole = as_pointer(std::move(whole), of);
      whole.form = BoundForm::place;
    }
    return member_of(std::move(whole), part);
  }

  BoundPart member_of(BoundPart whole, const WatchNode& part) {
    if (!error_.empty()) return {};
    const std::string of = text_of(part.operands[0]);
    if (whole.type == nullptr) return fail({ReasonKind::watch_no_type, of});
    if (whole.form != BoundForm::place || whole.type->form != LayoutForm::record)
      return fail({ReasonKind::watch_no_structure, of, part.name});
    const std::optional<record::MemberLayout> found = find_member(*whole.type, part.name);
    if (!found.has_value()) return fail({ReasonKind::watch_no_member, of, part.name, member_names(*whole.type)});
    if (found->is_bit_field) return fail({ReasonKind::watch_bit_field, text_of(part)});
    return {BoundForm::place, node(BoundOp::shift, std::move(whole.node), static_cast<std::int64_t>(found->offset)),
            found->type};
  }

  BoundPart coordinate(const std::string& name, const std::string& axis) {
    constexpr std::string_view kAxes = "xyz";
    const std::size_t which = axis.size() == 1 ? kAxes.find(axis) : std::string_view::npos;
    if (which == std::string_view::npos)
      return fail({ReasonKind::watch_no_member, name, axis, std::vector<std::string>{"x", "y", "z"}});
    for (const BuiltIn& index : kIndices) {
      if (index.name == name) return {.node = {.op = index.ops[which]}};
    }
    const base::Triple& extent = name == "blockDim" ? launch_.block : launch_.grid;
    return {.node = constant(which == 0 ? extent.x : which == 1 ? extent.y : extent.z)};
  }

  BoundPart name(const std::string& name) {
    if (name == "warpSize") return {.node = constant(launch_.warp_size)};
    if (is_built_in(name)) return fail({ReasonKind::watch_no_axis, name, name});
    check::ReachableMemory reach;
    reach.begin(launch_.arguments, launch_.argument_bytes, launch_.kernel);
    std::vector<std::string> parameters;
    for (const check::ArgumentPart& parameter : check::parameters_of(reach)) {
      if (parameter.name == name) return at_address(launch_.arguments + parameter.offset, parameter.type);
      parameters.push_back(parameter.name);
    }
    if (std::optional<BoundPart> found = shared(name)) return *std::move(found);
    if (!error_.empty()) return {};
    if (std::optional<BoundPart> found = variable(name)) return *std::move(found);
    if (!error_.empty()) return {};
    return fail(unknown(name, std::move(parameters)));
  }

  record::Reason unknown(const std::string& name, std::vector<std::string> parameters) const {
    const std::string& kernel = launch_.kernel_name;
    if (!parameters.empty()) return {ReasonKind::watch_unknown, kernel, name, std::move(parameters)};
    // A kernel without parameters has a closure of one byte.
    const bool has_any = launch_.argument_bytes > 1;
    return {has_any ? ReasonKind::watch_unknown_parameter : ReasonKind::watch_unknown_variable, kernel, name};
  }

  static BoundPart at_address(const void* address, const TypeLayout* type) {
    const auto number = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address));
    return {BoundForm::place, {.op = BoundOp::address, .number = number}, type};
  }

  std::optional<BoundPart> shared(const std::string& name) {
    std::vector<memory::SharedStatic> found = memory::shared_statics(name);
    const auto is_others = [&](const memory::SharedStatic& one) { return !one.tag.starts_with(launch_.shared_tag); };
    if (!launch_.shared_tag.empty() && !std::ranges::all_of(found, is_others)) std::erase_if(found, is_others);
    if (found.empty()) return dynamic(name);
    if (found.size() > 1) {
      fail({ReasonKind::watch_shared_of_several, name, launch_.kernel_name});
      return std::nullopt;
    }
    BoundNode place{
        .op = BoundOp::shared, .number = static_cast<std::int64_t>(found[0].offset), .variable = found[0].index};
    return BoundPart{BoundForm::place, std::move(place), check::layout_of(found[0].type_pointer)};
  }

  std::optional<BoundPart> dynamic(const std::string& name) const {
    const TypeLayout* type = launch_.kernel == nullptr ? nullptr : check::dynamic_type(launch_.kernel, name);
    if (type == nullptr) return std::nullopt;
    return BoundPart{BoundForm::place, {.op = BoundOp::dynamic}, type};
  }

  std::optional<BoundPart> variable(const std::string& name) {
    using memory::ObjectKind;
    for (const ObjectKind kind : {ObjectKind::variable, ObjectKind::constant, ObjectKind::managed}) {
      const bool one_for_all = kind == ObjectKind::managed;
      for (const memory::Object& object :
           memory::live_objects(kind, one_for_all ? std::nullopt : std::optional<int>(launch_.device))) {
        if (object.name == name) return at_address(object.base, check::layout_of(object.type_pointer));
      }
      const auto others = launch_.device == 0 ? std::vector<memory::Object>() : memory::live_objects(kind, 0);
      if (std::ranges::find(others, name, &memory::Object::name) == others.end()) continue;
      fail({ReasonKind::watch_not_on_device, launch_.device, name});
    }
    return std::nullopt;
  }

  const WatchLaunch& launch_;
  record::Reason error_;
};

}  // namespace

base::Result<BoundWatch, record::Reason> bind_watch(const WatchExpression& expression, const WatchLaunch& launch) {
  return Binder(launch).bind(expression);
}

}  // namespace warpfiber::trace
