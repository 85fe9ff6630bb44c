// SPDX-License-Identifier: Apache-2.0
// Writes through crosscheck::CopyLog, which the recorder on a GPU uses as well. What is left of managed memory is
// written when the process ends.
#include "device_memory/copied_back.hpp"

#include <warpfiber/crosscheck/copy_log.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/forking.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "check/running/launches.hpp"
#include "device_memory/ordering.hpp"
#include "device_memory/state/device_memory_state.hpp"
#include "launches/checking/touches.hpp"
#include "process/findings/findings_log.hpp"
#include "process/host_thread.hpp"
#include "process/reporter.hpp"
#include "process/settings/exploring.hpp"
#include "process/user_call.hpp"
#include "record/finding.hpp"
#include "report/locate.hpp"
#include "report/names.hpp"
#include "report/reasons/reasons.hpp"
#include "symbols/symboliser.hpp"
#include "symbols/user_code.hpp"

namespace warpfiber::device_memory {

namespace {

// Who wrote a byte of device memory last, as the shadow cells of a checked program have kept it. Any thread may call,
// none inside a kernel: lines are looked up.

/// "saxpy at saxpy.cu:12, block (1,0,0), thread (3,0,0)"; "no kernel since it was allocated"; "unknown: the program has
/// no access hooks".
std::string last_writer(const void* address) {
  if (!process::has_access_hooks() || !launches::is_shadowed(address))
    return report::fixed_text(record::ReasonKind::writer_unknown);
  std::optional<launches::Touch> last;
  launches::for_each_touch(
      launches::area_of(address, 1), check::LaunchSet{}.set(), [&last](const launches::Touch& touch) {
        const auto begun = [](const launches::Touch& of) { return check::launch_shape(of.launch).operation; };
        if (touch.write && (!last || begun(touch) >= begun(*last))) last = touch;
      });
  if (!last) return report::fixed_text(record::ReasonKind::never_written);
  record::Finding found;
  found.launch = launch_of(*last);
  found.parties.push_back(launches::party_of(*last));
  report::locate(found);
  const record::Party& writer = found.parties.front();
  std::string text = found.launch.kernel;
  if (writer.place.known()) text += " at " + writer.place.file + ":" + std::to_string(writer.place.line);
  return text + ", " + report::who_text(writer.who, found.launch);
}

}  // namespace

struct ManagedPiece {
  std::uint64_t number;
  std::size_t bytes;
  const char* elements;
  std::string place;  // of the allocation
};

struct KeptCopies {
  KeptCopies() {
    const std::string& path = process::explore_settings().copies;
    if (!path.empty() && !log.open(path.c_str()))
      process::print_line({record::ReasonKind::file_not_written, "WARPFIBER_COPIES", path, std::strerror(errno)});
  }

  crosscheck::CopyLog log;
  base::Mutex mutex;
  std::map<void*, ManagedPiece> managed WARPFIBER_GUARDED_BY(mutex){};  // by address
};

namespace {

KeptCopies& kept() {
  return DeviceMemoryState::of_process().kept_copies.get();
}

bool are_kept() {
  return !process::explore_settings().copies.empty() && kept().log.is_open();
}

/// "saxpy.cu:31", or "-".
std::string place_of_call(const void* returns_to) {
  if (returns_to == nullptr) return "-";
  const auto last_byte = reinterpret_cast<std::uintptr_t>(returns_to) - 1;
  const record::Place found = symbols::user_place(symbols::Symboliser::of_process().frames(last_byte));
  return found.known() ? found.file + ":" + std::to_string(found.line) : "-";
}

/// The address of a byte of the box, counted without the gaps between its rows.
const char* byte_of(const process::CopyPlace& place, const process::Box& box, std::size_t byte) {
  const std::size_t row = byte / box.width;
  return place.at + row / box.height * place.slice + row % box.height * place.pitch + byte % box.width;
}

void write_managed(void* memory, const ManagedPiece& piece) {
  crosscheck::CopyFacts facts;
  facts.kind = "managed";
  facts.ordinal = piece.number;
  facts.type = piece.elements;
  facts.function = "cudaMallocManaged";
  facts.place = piece.place;
  kept().log.write(facts, {memory, piece.bytes, 1, 1, 0, 0});
  const process::AskedWriter& asked = process::explore_settings().copy_writer;
  if (!asked.managed || asked.number != piece.number || asked.byte >= piece.bytes) return;
  kept().log.note("writer " + last_writer(static_cast<const char*>(memory) + asked.byte));
}

}  // namespace

std::uint64_t number_copy() {
  return are_kept() ? kept().log.number_copy() : 0;
}

const char* elements_now() {
  return process::HostThreadState::of_caller().elements;
}

void keep_copy(std::uint64_t number, const process::CopyPlace& to, const process::CopyPlace& from,
               const process::Box& box, const record::LaunchOrder& order, const char* type) {
  crosscheck::CopyFacts facts;
  facts.ordinal = number;
  facts.type = type;
  facts.function = order.call;
  facts.place = place_of_call(order.returns_to);
  kept().log.write(facts, {to.at, box.width, box.height, box.depth, to.pitch, to.slice});
  const process::AskedWriter& asked = process::explore_settings().copy_writer;
  if (asked.managed || asked.number != number || asked.byte >= box.width * box.height * box.depth) return;
  kept().log.note("writer " + last_writer(byte_of(from, box, asked.byte)));
}

void keep_managed(void* memory, std::size_t bytes) {
  if (!are_kept() || memory == nullptr) return;
  static const int registered = std::atexit([] {
    if (!base::is_forked_child() && wait_for_device() == Error::success) all_managed_goes();
  });
  static_cast<void>(registered);
  std::string place = place_of_call(process::user_call().returns_to);
  const base::Lock lock(kept().mutex);
  kept().managed[memory] = {kept().log.number_managed(), bytes, elements_now(), std::move(place)};
}

void managed_goes(void* memory) {
  if (!are_kept()) return;
  const base::Lock lock(kept().mutex);
  const auto piece = kept().managed.find(memory);
  if (piece == kept().managed.end()) return;
  write_managed(memory, piece->second);
  kept().managed.erase(piece);
}

void all_managed_goes() {
  if (!are_kept()) return;
  const base::Lock lock(kept().mutex);
  for (const auto& [memory, piece] : kept().managed) write_managed(memory, piece);
  kept().managed.clear();
}

}  // namespace warpfiber::device_memory

namespace warpfiber::cuda::detail {

const char* exchange_elements(const char* word) {
  return std::exchange(process::HostThreadState::of_caller().elements, word);
}

}  // namespace warpfiber::cuda::detail
