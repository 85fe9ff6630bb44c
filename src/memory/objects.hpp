#pragma once
#include <cstdint>
namespace warpfiber::memory {
inline std::uint64_t objects_generation() { return 1; }
}
