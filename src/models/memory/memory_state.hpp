// SPDX-License-Identifier: Apache-2.0
// What the room keeps for the process, as members of one object. Each service is defined in the file that works with
// it. Invariant: nothing here is destroyed, because destructors of a program's static objects free memory, leaks are
// listed at the end of the process, and a worker's arenas may outlive the statics of the program.
#pragma once

#include <atomic>

#include "base/process/service.hpp"

namespace warpfiber::memory {

class AddressSpace;
class GlobalHeap;
struct Arenas;
struct BuiltByHost;
struct Heaps;
struct HostBlocks;
struct HostFunctions;
struct LayoutUnderConstruction;
struct LoadedImages;
struct ObjectRegistry;
struct PlainTables;
struct RedZones;

struct MemoryState {
  static MemoryState& of_process();

  base::Service<AddressSpace> space;
  base::Service<GlobalHeap> global_heap;
  base::Service<Heaps> kernel_heaps;
  base::Service<ObjectRegistry> objects;
  base::Service<RedZones> red_zones;
  base::Service<LayoutUnderConstruction> shared_layout;
  base::Service<Arenas> shared_arenas;
  base::Service<HostFunctions> host_functions;
  base::Service<PlainTables> plain_tables;
  base::Service<BuiltByHost> built_by_host;
  std::atomic<unsigned> device_users{0};                    // of device memory (device_use.hpp)
  std::atomic<HostBlocks*> host_blocks{nullptr};            // no service: malloc() makes it
  std::atomic<const LoadedImages*> loaded_images{nullptr};  // no service: signal handlers read it
  std::atomic<bool> has_out_of_reach{false};  // addresses that fault in place of others (host/host_addresses.hpp)

 private:
  static MemoryState the_process_;
};

inline MemoryState& MemoryState::of_process() {
  return the_process_;
}

}  // namespace warpfiber::memory
