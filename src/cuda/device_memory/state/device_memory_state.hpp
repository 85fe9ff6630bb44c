// SPDX-License-Identifier: Apache-2.0
// What the room keeps for the process, as members of one object; each service is defined in the file that works with
// it. Invariant: nothing here is destroyed when the process ends, because destructors of a program's static objects
// free memory.
#pragma once

#include <atomic>

#include "base/process/service.hpp"

namespace warpfiber::device_memory {

class AccessWatcher;
struct AllocationTable;
struct Arrays;
struct FittingCopies;
struct GraphicsResources;
struct KeptCopies;
struct Pools;
struct Surface;
struct Texture;
template <class Object>
class Handles;

struct DeviceMemoryState {
  static DeviceMemoryState& of_process();

  /// Destroys the services in the state that main() finds, but for what host objects hold. The caller is
  /// reset_process() in runtime/reset.hpp, which has reset the devices.
  void reset();

  base::Service<AllocationTable> allocations;
  base::Service<Arrays> arrays;
  base::Service<Pools> pools;
  base::Service<GraphicsResources> graphics;
  base::Service<Handles<Texture>> textures;
  base::Service<Handles<Surface>> surfaces;
  base::Service<FittingCopies> fitting_copies;
  base::Service<KeptCopies> kept_copies;                // a file that a run leaves for the command
  std::atomic<AccessWatcher*> access_watcher{nullptr};  // of a checked program, from its begin on

 private:
  static DeviceMemoryState the_process_;
};

inline DeviceMemoryState& DeviceMemoryState::of_process() {
  return the_process_;
}

}  // namespace warpfiber::device_memory
