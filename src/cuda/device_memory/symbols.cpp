// SPDX-License-Identifier: Apache-2.0
//
// Finds the current device's instance of a variable (process/variables.hpp), checks the range against its size, and
// copies by address.
#include "device_memory/symbols.hpp"

#include <string>

#include "base/index.hpp"
#include "base/text.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"
#include "process/variables.hpp"

namespace warpfiber::device_memory {

using record::ReasonKind;

namespace {

Error no_symbol() {
  return process::fail(Error::invalid_symbol, ReasonKind::symbol_unknown);
}

Error no_place_for_result() {
  return process::fail(Error::invalid_value, ReasonKind::result_pointer_null);
}

/// Where the range lies, or an error.
Error locate(const SymbolRange& range, process::CopyPlace& place) {
  const process::DeviceVariable* variable = process::find_variable(range.symbol);
  if (variable == nullptr) return no_symbol();
  if (range.offset > variable->bytes || range.bytes > variable->bytes - range.offset) {
    return process::fail(Error::invalid_value,
                         {ReasonKind::symbol_range_too_long, record::Thousands{base::sum_of(range.offset, range.bytes)},
                          variable->name, record::Quantity{variable->bytes, "byte"}});
  }
  const char* base = static_cast<const char*>(process::instance_of(*variable, process::current_device()));
  place = line(base + range.offset, range.bytes);
  place.symbol = true;
  return Error::success;
}

bool ends_at(cudaMemcpyKind kind, cudaMemcpyKind one, cudaMemcpyKind other) {
  return kind == one || kind == other || kind == cudaMemcpyDefault;
}

Error wrong_direction(ReasonKind copy) {
  return process::fail(Error::invalid_memcpy_direction, copy);
}

}  // namespace

Error copy_to_symbol(const SymbolRange& to, const void* from, cudaMemcpyKind kind, const Order& order) {
  process::CopyPlace place;
  if (!ends_at(kind, cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice))
    return wrong_direction(ReasonKind::copy_to_symbol);
  const Error wrong = locate(to, place);
  if (wrong == Error::success && process::find_variable(to.symbol)->is_const) {
    return process::fail(Error::invalid_value, ReasonKind::symbol_const);
  }
  if (wrong != Error::success) return wrong;
  process::note_variable_set(to.symbol);
  return copy(place, line(from, to.bytes), process::Box{to.bytes}, kind, order);
}

Error copy_from_symbol(void* to, const SymbolRange& from, cudaMemcpyKind kind, const Order& order) {
  process::CopyPlace place;
  if (!ends_at(kind, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice))
    return wrong_direction(ReasonKind::copy_from_symbol);
  const Error wrong = locate(from, place);
  return wrong != Error::success ? wrong : copy(line(to, from.bytes), place, process::Box{from.bytes}, kind, order);
}

Error symbol_address(void** address, const void* symbol) {
  if (address == nullptr) return no_place_for_result();
  const process::DeviceVariable* variable = process::find_variable(symbol);
  if (variable == nullptr) return no_symbol();
  *address = process::instance_of(*variable, process::current_device());
  process::announce_variable(symbol);
  return Error::success;
}

Error symbol_size(std::size_t* bytes, const void* symbol) {
  if (bytes == nullptr) return no_place_for_result();
  const process::DeviceVariable* variable = process::find_variable(symbol);
  if (variable == nullptr) return no_symbol();
  *bytes = variable->bytes;
  return Error::success;
}

}  // namespace warpfiber::device_memory
