// SPDX-License-Identifier: Apache-2.0
// Objects with virtual functions that host code has constructed in memory that kernels can access: managed and pinned
// memory. Their pointers to tables of virtual functions are what host and kernels have in common here, and each other's
// on a machine with a GPU. So while kernels run those that host code has stored are ones that fault
// (host_addresses.hpp). An object that a kernel constructs in their place stays as it is. Any thread may call.
#pragma once

#include <cstddef>

namespace warpfiber::memory {

/// Host code stores, or has stored, the pointer to a table of virtual functions at `place`.
void note_table_of_host(void* place);

/// What host code has constructed at `object`, whose class has `bytes` bytes. Of an array, which ends before `end`, the
/// following objects as well; else `end` is null.
void note_object_of_host(void* object, std::size_t bytes, const void* end);

/// Any such objects at the beginning of memory that from now on is accessible to kernels.
void note_objects_of_host(char* memory, std::size_t bytes);

/// The memory has other contents now, or is freed.
void forget_objects_of_host(const void* memory, std::size_t bytes);

/// A launch begins; its kernel's accesses to tables of the host fault until it has ended.
void begin_kernel_of_tables();
void end_kernel_of_tables();

/// In general registers of code of the host that has faulted at `address`, pointers to the host's tables become what
/// they stand for. False where there is none, so that the fault has another cause.
bool put_registers_in_reach(const void* address, long long* const* registers, std::size_t count);

/// Who accesses memory by its address.
enum class Accessors { host, both, device };

/// Copies bytes as memmove() does; what host code constructed is out of a kernel's reach where it then is a device's
/// alone, and known as the host's where it is both's.
void copy_with_tables(char* to, Accessors of_destination, const char* from, Accessors of_source, std::size_t bytes);

}  // namespace warpfiber::memory
