// SPDX-License-Identifier: Apache-2.0
//
// Finds the current device's instance of a variable (process/variables.hpp), checks the range against its size, and
// copies by address.
#include "device_memory/symbols.hpp"

#include <string>

#include "base/sizes.hpp"
#include "base/text.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"
#include "process/variables.hpp"

namespace warpfiber::runtime {
namespace {

Error no_symbol() {
  return fail(Error::invalid_symbol,
              "the symbol is not a __device__, __constant__ or __managed__ variable of this program");
}

Error no_place_for_result() {
  return fail(Error::invalid_value, "the pointer to the result is null");
}

/// Where the range lies, or an error.
Error locate(const SymbolRange& range, CopyPlace& place) {
  const DeviceVariable* variable = find_variable(range.symbol);
  if (variable == nullptr) return no_symbol();
  if (range.offset > variable->bytes || range.bytes > variable->bytes - range.offset) {
    return fail(Error::invalid_value, "the range extends to byte " +
                                          base::thousands(base::sum_of(range.offset, range.bytes)) + " of " +
                                          variable->name + ", which has " + base::counted(variable->bytes, "byte"));
  }
  const char* base = static_cast<const char*>(instance_of(*variable, current_device()));
  place = line(base + range.offset, range.bytes);
  place.symbol = true;
  return Error::success;
}

bool ends_at(cudaMemcpyKind kind, cudaMemcpyKind one, cudaMemcpyKind other) {
  return kind == one || kind == other || kind == cudaMemcpyDefault;
}

Error wrong_direction(const char* to) {
  return fail(Error::invalid_memcpy_direction, std::string("a copy ") + to + " a symbol");
}

}  // namespace

Error copy_to_symbol(const SymbolRange& to, const void* from, cudaMemcpyKind kind, const Order& order) {
  CopyPlace place;
  if (!ends_at(kind, cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice)) return wrong_direction("to");
  const Error wrong = locate(to, place);
  if (wrong == Error::success && find_variable(to.symbol)->is_const) {
    return fail(Error::invalid_value, "the variable is const: kernels may have its value compiled in");
  }
  return wrong != Error::success ? wrong : copy(place, line(from, to.bytes), Box{to.bytes}, kind, order);
}

Error copy_from_symbol(void* to, const SymbolRange& from, cudaMemcpyKind kind, const Order& order) {
  CopyPlace place;
  if (!ends_at(kind, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice)) return wrong_direction("from");
  const Error wrong = locate(from, place);
  return wrong != Error::success ? wrong : copy(line(to, from.bytes), place, Box{from.bytes}, kind, order);
}

Error symbol_address(void** address, const void* symbol) {
  if (address == nullptr) return no_place_for_result();
  const DeviceVariable* variable = find_variable(symbol);
  if (variable == nullptr) return no_symbol();
  *address = instance_of(*variable, current_device());
  announce_variable(symbol);
  return Error::success;
}

Error symbol_size(std::size_t* bytes, const void* symbol) {
  if (bytes == nullptr) return no_place_for_result();
  const DeviceVariable* variable = find_variable(symbol);
  if (variable == nullptr) return no_symbol();
  *bytes = variable->bytes;
  return Error::success;
}

}  // namespace warpfiber::runtime
