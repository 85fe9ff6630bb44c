// SPDX-License-Identifier: Apache-2.0
//
// libdw through the dynamic linker. The system's own comes first, since a package that brings one was built for some
// other system.
#include "symbols/libdw.hpp"

#include <dlfcn.h>

#include <atomic>
#include <filesystem>

#include "base/locks/annotated_mutex.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::symbols {

#define WARPFIBER_DEFINE(function) constinit decltype(&::function) function = nullptr;
WARPFIBER_LIBDW_FUNCTIONS(WARPFIBER_DEFINE)
#undef WARPFIBER_DEFINE

namespace {

constexpr const char* kName = "libdw.so.1";
constexpr const char* kFolder = "warpfiber/elfutils";  // below the folder that the runtime is in

enum class LibraryState : unsigned char { unknown, loaded, missing };

struct Pointers {
#define WARPFIBER_MEMBER(function) decltype(&::function) function = nullptr;
  WARPFIBER_LIBDW_FUNCTIONS(WARPFIBER_MEMBER)
#undef WARPFIBER_MEMBER
};

/// Kernels may be reported on until the very end of the process, so nothing here is ever destroyed.
struct Loading {
  static inline constinit std::atomic<LibraryState> state{LibraryState::unknown};
  static inline constinit base::Mutex mutex;
  static inline constinit char reason[512] WARPFIBER_GUARDED_BY(mutex) = "";  // why it is missing
};

/// The libdw that a package brought, below the folder of the library or the program that this code is in.
std::string brought() {
  Dl_info own;
  if (::dladdr(reinterpret_cast<const void*>(&load_libdw), &own) == 0 || own.dli_fname == nullptr) return {};
  std::error_code unknown;
  const std::filesystem::path file = std::filesystem::canonical(own.dli_fname, unknown);
  return unknown ? std::string() : (file.parent_path() / kFolder / kName).string();
}

/// Null where a function is missing.
bool find_all(void* library, Pointers& found) {
  bool all = true;
#define WARPFIBER_FIND(function)                                                            \
  found.function = reinterpret_cast<decltype(found.function)>(::dlsym(library, #function)); \
  all = all && found.function != nullptr;
  WARPFIBER_LIBDW_FUNCTIONS(WARPFIBER_FIND)
#undef WARPFIBER_FIND
  return all;
}

std::string linker_error() {
  const char* text = ::dlerror();
  return text == nullptr ? std::string() : text;
}

/// Several threads may be here at once; each finds the same.
[[gnu::cold, gnu::noinline]] LibraryState load() {
  void* library = ::dlopen(kName, RTLD_NOW | RTLD_LOCAL);
  const std::string of_system = library == nullptr ? linker_error() : std::string();
  if (const std::string path = library == nullptr ? brought() : std::string(); !path.empty())
    library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  Pointers found;
  const bool all = library != nullptr && find_all(library, found);
  const std::string missing = all ? std::string() : library == nullptr ? of_system : linker_error();
  const base::Lock lock(Loading::mutex);
  if (const LibraryState known = Loading::state.load(std::memory_order_relaxed); known != LibraryState::unknown)
    return known;
  missing.copy(Loading::reason, sizeof Loading::reason - 1);
  if (all) {
#define WARPFIBER_KEEP(function) function = found.function;
    WARPFIBER_LIBDW_FUNCTIONS(WARPFIBER_KEEP)
#undef WARPFIBER_KEEP
  }
  Loading::state.store(all ? LibraryState::loaded : LibraryState::missing, std::memory_order_release);
  return all ? LibraryState::loaded : LibraryState::missing;
}

}  // namespace

bool load_libdw() {
  const LibraryState known = Loading::state.load(std::memory_order_acquire);
  return (known == LibraryState::unknown ? load() : known) == LibraryState::loaded;
}

std::string why_without_libdw() {
  const base::Lock lock(Loading::mutex);
  return Loading::reason;
}

}  // namespace warpfiber::symbols
