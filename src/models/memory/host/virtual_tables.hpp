// SPDX-License-Identifier: Apache-2.0
// Objects with virtual functions have a pointer to the table of them. An object that host code constructed has the
// host's, which no kernel can reach (CUDA C++ Programming Guide, "Virtual Functions"). Any thread may call.
#pragma once

#include <cstddef>
#include <string>

namespace warpfiber::memory {

/// From now on the functions below know the tables of what is loaded now. Not in a signal handler nor in a kernel.
void follow_loaded_libraries();

/// Whether `pointer` is what objects of a class hold as their pointer to the table of virtual functions. Classes
/// without a type_info (-fno-rtti) are known once finds_virtual_table() was asked.
bool is_virtual_table(const void* pointer);

/// The same, of classes without a type_info too. Reads symbols, so not in a signal handler nor in a kernel.
bool finds_virtual_table(const void* pointer);

/// The table that has an entry at `address`, one of the first 256; null: none.
const void* virtual_table_with(const void* address);

/// The class, as the program names it; `table` is one of those.
std::string class_of_virtual_table(const void* table);

/// In memory of `bytes` bytes that was copied from the host to a device, addresses of such tables become ones that
/// fault (host_addresses.hpp).
void put_virtual_tables_out_of_reach(char* memory, std::size_t bytes);

/// The opposite, for a copy from a device to the host.
void put_virtual_tables_in_reach(char* memory, std::size_t bytes);

}  // namespace warpfiber::memory
