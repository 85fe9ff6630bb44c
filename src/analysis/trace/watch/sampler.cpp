// SPDX-License-Identifier: Apache-2.0
// Integers are 64 bits wide and wrap around, so that no index is undefined.
#include "trace/watch/sampler.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "base/ids.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::trace {
namespace {

using record::LayoutForm;
using record::NumberForm;
using record::TypeLayout;

std::string_view form_of(const TypeLayout& type) {
  if (type.form == LayoutForm::pointer) return "pointer";
  switch (type.encoding) {
    case NumberForm::signed_integer: return "signed";
    case NumberForm::floating_point: return "float";
    default: return "unsigned";
  }
}

void note_variables(const BoundNode& node, std::vector<unsigned>& to) {
  if (node.op == BoundOp::shared && std::ranges::find(to, node.variable) == to.end()) to.push_back(node.variable);
  for (const BoundNode& operand : node.operands) note_variables(operand, to);
}

std::int64_t wrapped(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}

std::int64_t extended(std::uint64_t word, const TypeLayout& type) {
  const unsigned unused = 64 - 8 * static_cast<unsigned>(type.bytes);
  if (type.encoding != NumberForm::signed_integer) return wrapped(word);
  return wrapped(word << unused) >> unused;
}

}  // namespace

void WatchSampler::begin(std::span<const WatchExpression> expressions, WatchLaunch launch) {
  launch_ = std::move(launch);
  for (const WatchExpression& expression : expressions) {
    base::Result<BoundWatch, record::Reason> bound = bind_watch(expression, launch_);
    WatchedExpression& described = described_.emplace_back();
    described.text = expression.text;
    described.error = report::reason_text(bound.error());
    if (!bound.ok()) continue;
    const BoundWatch& watch = bound.value();
    described.form = form_of(*watch.type);
    described.bytes = watch.type->bytes;
    described.of_thread = watch.of_thread;
    note_variables(watch.address, variables_);
    bound_.push_back({std::move(bound.value()), described_.size() - 1});
  }
}

WatchedBlock WatchSampler::block_begins(std::uint64_t rank, const memory::SharedArena& shared) const {
  WatchedBlock made{.rank = rank, .shared = &shared};
  for (const unsigned variable : variables_) made.touched.push_back(shared.touched_by(variable));
  made.last.resize(described_.size());
  return made;
}

std::size_t WatchSampler::sample(WatchedBlock& block, std::vector<WatchedValues>& to, std::uint64_t step) {
  const std::size_t before = block.changes;
  const auto threads = static_cast<std::uint32_t>(base::volume(launch_.block));
  to.resize(described_.size());
  for (const Bound& bound : bound_) {
    WatchedValues& values = to[bound.described];
    std::vector<WatchedCell>& last = block.last[bound.described];
    const bool is_first = last.empty();
    const std::uint32_t count = bound.watch.of_thread ? threads : 1;
    last.resize(count);
    WatchedSample made{.step = step};
    for (std::uint32_t thread = 0; thread < count && values.left_out == 0; ++thread) {
      const WatchedCell cell = read(bound.watch, block, thread);
      if (!is_first && cell == last[thread]) continue;
      last[thread] = cell;
      made.changes.push_back({thread, cell});
    }
    if (values.left_out != 0 || block.changes + made.changes.size() > kWatchedOfBlock) {
      ++values.left_out;
      continue;
    }
    block.changes += made.changes.size();
    values.samples.push_back(std::move(made));
  }
  return block.changes - before;
}

WatchedCell WatchSampler::read(const BoundWatch& watch, const WatchedBlock& block, unsigned thread) {
  block_ = &block;
  block_index_ = base::unlinear(block.rank, launch_.grid);
  thread_index_ = base::unlinear(thread, launch_.block);
  std::uint64_t at = 0;
  std::uint64_t value = 0;
  if (address(watch.address, at) && load(at, watch.type->bytes, value)) return {value, WatchedState::value};
  return {0, failed_};
}

bool WatchSampler::number(const BoundNode& node, std::int64_t& to) {
  std::uint64_t at = 0;
  std::uint64_t word = 0;
  switch (node.op) {
    case BoundOp::constant: to = node.number; return true;
    case BoundOp::thread_x: to = thread_index_.x; return true;
    case BoundOp::thread_y: to = thread_index_.y; return true;
    case BoundOp::thread_z: to = thread_index_.z; return true;
    case BoundOp::block_x: to = block_index_.x; return true;
    case BoundOp::block_y: to = block_index_.y; return true;
    case BoundOp::block_z: to = block_index_.z; return true;
    case BoundOp::load:
      if (!address(node.operands[0], at) || !load(at, node.type->bytes, word)) return false;
      to = extended(word, *node.type);
      return true;
    default: return arithmetic(node, to);
  }
}

bool WatchSampler::arithmetic(const BoundNode& node, std::int64_t& to) {
  std::int64_t left = 0;
  std::int64_t right = 0;
  if (!number(node.operands[0], left)) return false;
  if (node.operands.size() > 1 && !number(node.operands[1], right)) return false;
  const auto a = static_cast<std::uint64_t>(left);
  const auto b = static_cast<std::uint64_t>(right);
  switch (node.op) {
    case BoundOp::negate: to = wrapped(-a); return true;
    case BoundOp::add: to = wrapped(a + b); return true;
    case BoundOp::subtract: to = wrapped(a - b); return true;
    case BoundOp::multiply: to = wrapped(a * b); return true;
    default: break;
  }
  if (right == 0) return fail(WatchedState::undefined);
  // The least number divided by -1 is no number of 64 bits.
  if (right == -1) {
    to = node.op == BoundOp::divide ? wrapped(-a) : 0;
  } else {
    to = node.op == BoundOp::divide ? left / right : left % right;
  }
  return true;
}

bool WatchSampler::address(const BoundNode& node, std::uint64_t& to) {
  std::int64_t by = 0;
  switch (node.op) {
    case BoundOp::shared: {
      const auto which = static_cast<std::size_t>(std::ranges::find(variables_, node.variable) - variables_.begin());
      if (block_->shared->touched_by(node.variable) == block_->touched[which]) return fail(WatchedState::untouched);
      to = reinterpret_cast<std::uintptr_t>(block_->shared->base()) + static_cast<std::uint64_t>(node.number);
      return true;
    }
    case BoundOp::dynamic: to = reinterpret_cast<std::uintptr_t>(block_->shared->dynamic()); return true;
    case BoundOp::shift:
      if (!address(node.operands[0], to)) return false;
      to += static_cast<std::uint64_t>(node.number);
      return true;
    case BoundOp::element:
      if (!address(node.operands[0], to) || !number(node.operands[1], by)) return false;
      to += static_cast<std::uint64_t>(by) * static_cast<std::uint64_t>(node.number);
      return true;
    case BoundOp::target: {
      std::uint64_t pointer = 0;
      if (!address(node.operands[0], pointer)) return false;
      return load(pointer, sizeof(void*), to);
    }
    default: to = static_cast<std::uint64_t>(node.number); return true;
  }
}

bool WatchSampler::load(std::uint64_t address, std::uint64_t bytes, std::uint64_t& to) {
  const auto* const at = reinterpret_cast<const char*>(address);
  if (memory::is_null(at)) return fail(WatchedState::null);
  if (!is_readable(at, bytes)) return fail(WatchedState::outside);
  to = 0;
  std::memcpy(&to, at, bytes);
  return true;
}

bool WatchSampler::is_readable(const char* at, std::size_t bytes) {
  if (is_readable_argument(at, bytes)) return true;
  if (block_->shared->base() != nullptr && block_->shared->owns(at)) return is_readable_shared(at, bytes);
  const std::uint64_t generation = memory::objects_generation();
  if (generation != generation_ || !range_.contains(at, bytes)) {
    range_ = memory::range_around(at);
    generation_ = generation;
  }
  return range_.kind.has_value() && !range_.freed && range_.contains(at, bytes);
}

bool WatchSampler::is_readable_argument(const char* at, std::size_t bytes) const {
  const memory::AddressRange arguments{launch_.arguments, launch_.arguments + launch_.argument_bytes};
  return launch_.arguments != nullptr && arguments.contains(at, bytes);
}

/// Each block has its own memory, where objects stay as they are for as long as the launch runs.
bool WatchSampler::is_readable_shared(const char* at, std::size_t bytes) {
  if (!shared_range_.contains(at, bytes)) {
    const std::optional<memory::Object> object = block_->shared->object_at(at);
    if (!object.has_value()) return false;
    shared_range_ = {object->base, object->base + object->bytes, object->kind};
  }
  return shared_range_.contains(at, bytes);
}

}  // namespace warpfiber::trace
