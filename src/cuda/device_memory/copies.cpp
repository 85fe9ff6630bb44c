// SPDX-License-Identifier: Apache-2.0
// Source of what is synchronous: CUDA Runtime API, "API synchronization behavior": a copy from or to pageable host
// memory is over when the call returns, one between pinned memory and a device may go on in its stream, and one within
// devices always does. Source of what is refused: printed by an H200 (CUDA 13.0).
#include "device_memory/copies.hpp"

#include <warpfiber/detail/element_word.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/index.hpp"
#include "base/text.hpp"
#include "device_memory/accesses.hpp"
#include "device_memory/addresses.hpp"
#include "device_memory/copied_back.hpp"
#include "device_memory/host_memory.hpp"
#include "device_memory/table.hpp"
#include "memory/host/built_by_host.hpp"
#include "process/box.hpp"
#include "process/explain.hpp"
#include "process/exploring/determinism.hpp"
#include "process/exploring/results.hpp"
#include "process/findings/host_findings.hpp"
#include "process/host/host_calls.hpp"
#include "record/reason.hpp"

namespace warpfiber::device_memory {

namespace {

// Copies of pageable sources: CUDA has read such a source when an asynchronous copy of it returns.

/// A larger copy is done when the call returns; recorded on an H200 (CUDA 13.0) for 1 MiB, which is staged, and 4 MiB.
inline constexpr std::size_t kMostStaged = std::size_t{1} << 20;

/// The box as it is now, row behind row, for as long as `bytes` live.
struct StagedSource {
  std::shared_ptr<const std::vector<std::byte>> bytes{};
  process::CopyPlace place{};
};
StagedSource stage(const process::CopyPlace& from, const process::Box& box);

StagedSource stage(const process::CopyPlace& from, const process::Box& box) {
  const auto staged = std::make_shared<std::vector<std::byte>>(box.width * box.height * box.depth);
  StagedSource made{staged, {reinterpret_cast<char*>(staged->data()), box.width, box.width * box.height}};
  box.for_each_row([&](std::size_t y, std::size_t z) { std::memcpy(made.place.row(y, z), from.row(y, z), box.width); });
  return made;
}

}  // namespace

using record::ReasonKind;

namespace {

/// What one end of a copy is.
struct CopyEnd {
  const char* role;  // "destination", "source", or what a library calls it: "A"
  bool writes;
  std::optional<MemoryBlock> block;
  bool array = false;
  const char* variable = nullptr;  // whose host name the address is: to CUDA that is ordinary host memory

  bool pageable() const { return !array && !block.has_value(); }
  bool on_device() const { return array || (block.has_value() && block->on_device() && variable == nullptr); }
  /// And no host's as well.
  bool is_only_of_device() const { return on_device() && (array || block->kind == MemoryKind::device); }
  /// Pinned memory of the host is a device's address as well.
  bool can_be_device() const { return array || (block.has_value() && variable == nullptr); }
};

/// The variable of a device that host code has named where it should have asked for its address; null: none.
const char* misnamed_variable(const process::CopyPlace& place, const std::optional<MemoryBlock>& block) {
  const bool may_be = block.has_value() && block->variable != nullptr && block->base == place.at && !place.symbol;
  return may_be && process::call_names(block->variable) ? block->variable : nullptr;
}

CopyEnd end_of(const char* role, bool writes, const process::CopyPlace& place) {
  if (place.array) return {role, writes, std::nullopt, true};
  const std::optional<MemoryBlock> block = block_at(place.at);
  return {role, writes, block, false, misnamed_variable(place, block)};
}

record::Reason description(const CopyEnd& end, const process::CopyPlace& place) {
  if (end.array) return ReasonKind::in_array;
  if (end.variable != nullptr) return {ReasonKind::host_copy_of_variable, end.variable};
  return end.block.has_value() ? record::Reason(ReasonKind::in_memory, kind_name(end.block->kind)) : what_is(place.at);
}

const char* kind_text(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost: return "cudaMemcpyHostToHost";
    case cudaMemcpyHostToDevice: return "cudaMemcpyHostToDevice";
    case cudaMemcpyDeviceToHost: return "cudaMemcpyDeviceToHost";
    case cudaMemcpyDeviceToDevice: return "cudaMemcpyDeviceToDevice";
    case cudaMemcpyDefault: return "cudaMemcpyDefault";
  }
  return "";
}

bool is_kind(cudaMemcpyKind kind) {
  return *kind_text(kind) != '\0';
}

/// How far the box reaches from its first byte.
std::size_t reach(const process::CopyPlace& place, const process::Box& box) {
  const std::size_t rows = base::sum_of(base::product_of(box.height - 1, place.pitch), box.width);
  return base::sum_of(base::product_of(box.depth - 1, place.slice), rows);
}

/// One end of the transfer is wrong, which CUDA answers with an error; where the program is checked it is a finding
/// too. `to`: the destination.
Error wrong_access(record::Verdict verdict, const CopyEnd& end, const process::CopyPlace& place,
                   const process::CopyPlace& to, const record::Reason& why) {
  if (process::host_is_checked()) {
    process::report_host_finding(
        process::invalid_transfer(verdict, place.at, end.writes, to.array ? nullptr : to.at, why));
    process::finding_is_made();
  }
  return process::fail(Error::invalid_value, why);
}

/// The transfer to `to` fails with `error`.
Error fails_at(const process::CopyPlace& to, Error error) {
  if (!to.array) process::leaves_unwritten(to.at);
  return error;
}

std::string address_text(const void* address) {
  return fmt::format("{}", address);
}

/// An end that is no device's, against the program's own object there.
Error check_host_object(const CopyEnd& end, const process::CopyPlace& place, const process::CopyPlace& to,
                        std::size_t wanted) {
  const auto object = process::host_is_checked() ? exceeded_host_object(place.at, wanted) : std::nullopt;
  if (!object.has_value()) return Error::success;
  const auto left = static_cast<std::size_t>(object->base + object->bytes - place.at);
  return wrong_access(
      record::Verdict::oob_global, end, place, to,
      {ReasonKind::end_exceeds_host_memory, end.role, object->what, record::Quantity{wanted - left, "byte"}});
}

Error check_range(const CopyEnd& end, const process::CopyPlace& place, const process::CopyPlace& to,
                  const process::Box& box) {
  if (place.at == nullptr) return process::fail(Error::invalid_value, {ReasonKind::end_null, end.role});
  if (end.array) return Error::success;
  const std::size_t wanted = reach(place, box);
  if (!end.block.has_value()) {
    if (was_freed(place.at)) {
      return wrong_access(record::Verdict::use_after_free, end, place, to,
                          {ReasonKind::end_is, end.role, what_is(place.at)});
    }
    if (is_adjacent_to_allocation(place.at)) {
      return wrong_access(record::Verdict::oob_global, end, place, to, {ReasonKind::end_outside_allocation, end.role});
    }
    if (const Error wrong = check_host_object(end, place, to, wanted); wrong != Error::success) return wrong;
    if (is_mapped(place.at, wanted)) return Error::success;
    // CUDA's runtime reads and writes the host's memory as the program would, and falls with it.
    return process::fail(Error::invalid_value,
                         {ReasonKind::end_not_mapped, end.role, record::ByteSize{wanted}, address_text(place.at)});
  }
  const std::size_t left =
      end.block->bytes - static_cast<std::size_t>(static_cast<const char*>(place.at) - end.block->base);
  if (wanted <= left) return Error::success;
  return wrong_access(record::Verdict::oob_global, end, place, to,
                      {ReasonKind::end_exceeds_allocation, end.role, record::ByteSize{end.block->bytes},
                       record::Quantity{wanted - left, "byte"}});
}

record::Reason contradiction(const CopyEnd& end, const process::CopyPlace& place, bool device, cudaMemcpyKind kind) {
  return {device ? ReasonKind::end_not_on_device : ReasonKind::end_not_on_host, kind_text(kind), end.role,
          description(end, place)};
}

/// The kind that a copy between these ends is of.
const char* kind_between(const CopyEnd& to, const CopyEnd& from) {
  if (to.on_device()) return kind_text(from.on_device() ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice);
  return kind_text(from.on_device() ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
}

record::Reason fix_of_name(const CopyEnd& end) {
  return {end.writes ? ReasonKind::use_copy_to_symbol : ReasonKind::use_copy_from_symbol, end.variable};
}

/// Whether the end is what the kind says of it: a device's or the host's. `fits`: the kind that would be right.
Error check_side(const CopyEnd& end, const process::CopyPlace& place, bool device, cudaMemcpyKind kind,
                 const char* fits) {
  if (device) {
    if (end.can_be_device()) return Error::success;
    const bool may_be_literal = !end.writes && end.variable == nullptr && is_constant_data(place.at);
    if (may_be_literal) return Error::success;
    if (end.variable != nullptr) {
      return process::fail(Error::invalid_value, contradiction(end, place, device, kind), fix_of_name(end));
    }
    return process::fail(Error::invalid_value, contradiction(end, place, device, kind),
                         {ReasonKind::use_fitting_kind, fits});
  }
  // Every address says where it lies, so the copy is done whatever the kind says.
  if (end.block.has_value() && end.block->kind == MemoryKind::device) {
    process::warn_verbose({ReasonKind::copy_by_addresses, contradiction(end, place, device, kind)});
  }
  return Error::success;
}

bool device_end(cudaMemcpyKind kind, cudaMemcpyKind one, cudaMemcpyKind other) {
  return kind == one || kind == other;
}

Error check_ends(const CopyEnd& to, const CopyEnd& from, const process::CopyPlace& to_place,
                 const process::CopyPlace& from_place, const process::Box& box, cudaMemcpyKind kind) {
  Error wrong = check_range(to, to_place, to_place, box);
  if (wrong == Error::success) wrong = check_range(from, from_place, to_place, box);
  if (wrong != Error::success || kind == cudaMemcpyDefault) return wrong;
  const bool to_device = device_end(kind, cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice);
  const bool from_device = device_end(kind, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice);
  if ((to.array && !to_device) || (from.array && !from_device)) {
    return process::fail(Error::invalid_memcpy_direction, {ReasonKind::array_contradicts_kind, kind_text(kind)});
  }
  const char* fits = kind_between(to, from);
  wrong = check_side(to, to_place, to_device, kind, fits);
  return wrong != Error::success ? wrong : check_side(from, from_place, from_device, kind, fits);
}

/// From pageable memory to a device the bytes may still be on their way when the call returns: only the source has been
/// read.
bool is_staged(const CopyEnd& to, const CopyEnd& from, const process::Box& box, const Order& order) {
  return order.asynchronous && from.pageable() && !to.pageable() && box.width * box.height * box.depth <= kMostStaged;
}

Wait wait_of(const CopyEnd& to, const CopyEnd& from, bool staged, const Order& order) {
  if (!order.asynchronous) return to.on_device() && from.on_device() ? Wait::no : Wait::yes;
  if (to.pageable()) return Wait::yes;
  return from.pageable() && !staged ? Wait::unpromised : Wait::no;
}

/// Whether a copy is from a device to the host, by its kind, or where that leaves it open by its addresses.
bool comes_back(const CopyEnd& to, const CopyEnd& from, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDefault) return kind == cudaMemcpyDeviceToHost;
  return from.on_device() && !to.on_device();
}

/// Who accesses the memory by its address. Pinned memory is the host's as a source: what it wrote there is in no list.
memory::Accessors accessors_of(const CopyEnd& end) {
  if (end.is_only_of_device()) return memory::Accessors::device;
  if (end.on_device() || (end.writes && end.can_be_device())) return memory::Accessors::both;
  return memory::Accessors::host;
}

Error check_pitch(const process::CopyPlace& place, const process::Box& box, const char* role, Error error) {
  if (box.width <= place.pitch) return Error::success;
  return process::fail(error, {ReasonKind::rows_overlap, record::Quantity{box.width, "byte"},
                               record::Quantity{place.pitch, "byte"}, role});
}

/// Slices may not overlap: however many there are, they would take no memory.
Error check_slices(const process::CopyPlace& place, const process::Box& box, const char* role) {
  if (box.depth == 1) return Error::success;
  const std::size_t slice = reach(place, process::Box{box.width, box.height});
  if (slice <= place.slice) return Error::success;
  return process::fail(Error::invalid_value, {ReasonKind::slices_overlap, record::Quantity{slice, "byte"},
                                              record::Quantity{place.slice, "byte"}, role});
}

/// What the compiler knows of the elements, else what the array does that they come from.
const char* elements_of(const process::CopyPlace& from) {
  const char* const known = elements_now();
  const bool is_known = std::strcmp(known, warpfiber::detail::kUnknownElements) != 0;
  return is_known || from.elements == nullptr ? known : from.elements;
}

}  // namespace

process::CopyPlace line(const void* at, std::size_t bytes) {
  return rows(at, bytes, 1);
}

process::CopyPlace rows(const void* at, std::size_t pitch, std::size_t height) {
  return {static_cast<char*>(const_cast<void*>(at)), pitch, base::product_of(pitch, height), false};
}

Error copy(const process::CopyPlace& to, const process::CopyPlace& from, const process::Box& box, cudaMemcpyKind kind,
           const Order& order) {
  if (box.empty()) return Error::success;
  if (!is_kind(kind)) {
    return fails_at(
        to, process::fail(Error::invalid_memcpy_direction, {ReasonKind::copy_kind_unknown, static_cast<int>(kind)}));
  }
  const CopyEnd to_end = end_of("destination", true, to);
  const CopyEnd from_end = end_of("source", false, from);
  const Error wrong = check_ends(to_end, from_end, to, from, box, kind);
  if (wrong != Error::success) return fails_at(to, wrong);
  const bool is_result = from_end.can_be_device() && !to_end.on_device();
  const std::shared_ptr<process::RunRecord> run = is_result ? process::copies_in_progress() : nullptr;
  const std::size_t number_in_run = run != nullptr ? run->number_copy() : 0;
  const std::uint64_t number = comes_back(to_end, from_end, kind) ? number_copy() : 0;
  const StagedSource staged = is_staged(to_end, from_end, box, order) ? stage(from, box) : StagedSource{nullptr, from};
  streams::CopyOperation operation{to, staged.place, box, accessors_of(to_end), accessors_of(from_end)};
  operation.is_result = is_result;
  operation.number_of_back = number;
  operation.elements = elements_of(from);
  operation.staged = staged.bytes;
  operation.run = run;
  operation.number_in_run = number_in_run;
  return in_stream(order.stream, std::move(operation), wait_of(to_end, from_end, staged.bytes != nullptr, order));
}

Error copy_rows(const process::CopyPlace& to, const process::CopyPlace& from, const process::Box& box,
                cudaMemcpyKind kind, const Order& order) {
  if (!box.empty()) {
    const Error error = box.single_row() ? Error::invalid_value : Error::invalid_pitch_value;
    Error wrong = check_pitch(to, box, "destination", error);
    if (wrong == Error::success) wrong = check_pitch(from, box, "source", error);
    if (wrong == Error::success) wrong = check_slices(to, box, "destination");
    if (wrong == Error::success) wrong = check_slices(from, box, "source");
    if (wrong != Error::success) return fails_at(to, wrong);
  }
  return copy(to, from, box, kind, order);
}

Error fill(const process::CopyPlace& to, const process::Box& box, int value, const Order& order) {
  return fill(to, box, Pattern{static_cast<unsigned char>(value), 1}, order);
}

Error fill(const process::CopyPlace& to, const process::Box& box, const Pattern& pattern, const Order& order) {
  if (box.empty()) return Error::success;
  const CopyEnd end = end_of("destination", true, to);
  Error wrong = box.single_row() ? Error::success : check_pitch(to, box, "destination", Error::invalid_value);
  if (wrong == Error::success) wrong = check_slices(to, box, "destination");
  if (wrong == Error::success) wrong = check_range(end, to, to, box);
  if (wrong != Error::success) return fails_at(to, wrong);
  if (!end.can_be_device()) {
    return process::fail(Error::invalid_value, {ReasonKind::fill_outside_device, description(end, to)},
                         end.variable != nullptr ? ReasonKind::use_symbol_address : ReasonKind::none);
  }
  // CUDA Driver API, "API synchronization behavior": fully synchronous but for memory of the device alone.
  const bool wait = !order.asynchronous && !end.is_only_of_device();
  return in_stream(order.stream, streams::FillOperation{to, box, pattern}, wait ? Wait::yes : Wait::no);
}

Error check(const LibraryAccess& access) {
  const CopyEnd end = end_of(access.name, access.writes, access.place);
  const Error wrong = check_range(end, access.place, access.place, access.box);
  if (wrong != Error::success) return access.writes ? fails_at(access.place, wrong) : wrong;
  if (end.can_be_device()) return Error::success;
  return process::fail(Error::invalid_value,
                       {ReasonKind::end_outside_device, end.role, description(end, access.place)});
}

Error in_stream_with(cudaStream_t stream, LibraryAccesses accesses, LibraryWork work, const LibraryCall& call) {
  std::erase_if(accesses, [](const LibraryAccess& access) { return access.box.empty(); });
  for (const LibraryAccess& access : accesses) {
    if (const Error wrong = check(access); wrong != Error::success) return wrong;
  }
  return in_stream(stream, streams::LibraryOperation{std::move(accesses), std::move(work), call.further}, call.wait);
}

Error write(const void* to, std::shared_ptr<const std::vector<std::byte>> bytes, cudaStream_t stream) {
  const process::Box box{bytes->size()};
  const process::CopyPlace place = line(to, box.width);
  return in_stream_with(stream, {{place, box, true}},
                        [at = place.at, bytes = std::move(bytes)] { std::memcpy(at, bytes->data(), bytes->size()); });
}

}  // namespace warpfiber::device_memory
