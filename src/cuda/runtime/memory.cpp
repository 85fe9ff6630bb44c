// SPDX-License-Identifier: Apache-2.0
// Device memory for the native API.
#include <warpfiber/buffer.hpp>

#include <cstring>

#include "base/forking.hpp"
#include "device_memory/accesses.hpp"
#include "device_memory/copied_back.hpp"
#include "memory/global_heap.hpp"
#include "process/errors.hpp"
#include "process/exploring/determinism.hpp"
#include "runtime/native.hpp"
#include "streams/streams.hpp"

namespace warpfiber::detail {
namespace {

using record::OperationKind;

/// Reports what the host program copies or fills itself to the watcher. The program has waited for what came before, so
/// no order is given.
void note_transfer(const device_memory::Transfer& transfer) {
  device_memory::AccessWatcher* watcher = device_memory::access_watcher();
  if (watcher == nullptr) return;
  record::LaunchOrder order = streams::order_of_host();
  order.number = 0;
  order.call = transfer.operation.call;
  order.returns_to = transfer.operation.returns_to;
  watcher->transfer(transfer, order);
}

}  // namespace

void* allocate_global(std::size_t bytes) {
  if (!base::begin_use()) {
    process::refuse_in_forked_child("Buffer");
    throw std::bad_alloc();
  }
  void* memory = memory::global_heap().allocate(bytes, {.made_by = __builtin_return_address(0)});
  if (memory == nullptr) throw std::bad_alloc();
  device_memory::note_allocation(memory, bytes);
  return memory;
}

void free_global(void* memory) noexcept {
  if (memory == nullptr || base::is_forked_child()) return;
  runtime::join_all_streams();
  memory::global_heap().free(memory, __builtin_return_address(0));
}

void upload_now(void* to, const void* from, std::size_t bytes) {
  note_transfer({device_memory::line(to, bytes),
                 device_memory::line(from, bytes),
                 {bytes},
                 {OperationKind::copy, "Buffer::upload", __builtin_return_address(0)}});
  std::memcpy(to, from, bytes);
}

void note_fill(void* memory, std::size_t bytes) {
  note_transfer({device_memory::line(memory, bytes),
                 {},
                 {bytes},
                 {OperationKind::fill, "Buffer::fill", __builtin_return_address(0)}});
}

void download_now(void* to, const void* from, std::size_t bytes, const char* type) {
  const void* returns_to = __builtin_return_address(0);
  note_transfer({device_memory::line(to, bytes),
                 device_memory::line(from, bytes),
                 {bytes},
                 {OperationKind::copy, "Buffer::download", returns_to}});
  std::memcpy(to, from, bytes);
  if (process::RunRecord* run = process::recording_in_progress())
    run->keep_copy(run->number_copy(), device_memory::line(to, bytes), {bytes});
  const std::uint64_t number = device_memory::number_copy();
  if (number == 0) return;
  record::LaunchOrder order;
  order.call = "Buffer::download";
  order.returns_to = returns_to;
  device_memory::keep_copy(number, device_memory::line(to, bytes), device_memory::line(from, bytes), {bytes}, order,
                           type);
}

}  // namespace warpfiber::detail
