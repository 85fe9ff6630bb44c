// SPDX-License-Identifier: Apache-2.0
#include "runtime/checking.hpp"

#include "check/enable.hpp"
#include "check/objects/host_writes.hpp"
#include "check/watch.hpp"
#include "runtime/memory/accesses.hpp"

namespace warpfiber::runtime {
namespace {

class HostWatcher final : public AccessWatcher {
 public:
  void transfer(const Transfer& transfer, const record::LaunchOrder& /*order*/) override {
    const Place& to = transfer.to;
    const Box& box = transfer.box;
    if (box.empty() || !check::shadow.covers(to.at)) return;
    for (std::size_t z = 0; z < box.depth; ++z) {
      for (std::size_t y = 0; y < box.height; ++y) {
        check::host_writes().add(to.at + z * to.slice + y * to.pitch, box.width);
      }
    }
  }
  void allocation(const void* base, std::size_t bytes, const record::LaunchOrder& /*order*/) override {
    forget(base, bytes);
  }
  void release(const void* base, std::size_t bytes, const record::LaunchOrder& /*order*/) override {
    forget(base, bytes);
  }

 private:
  static void forget(const void* base, std::size_t bytes) {
    check::host_writes().remove(base, bytes);
    check::Watch::fresh(base, bytes);
  }
};

}  // namespace

void begin_checking() {
  static HostWatcher watcher;
  check::enable();
  watch_accesses(&watcher);
}

}  // namespace warpfiber::runtime
