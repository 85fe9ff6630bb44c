// SPDX-License-Identifier: Apache-2.0
//
// The sentences of mistakes that need neither number nor name, and what compute-sanitizer calls them.
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

#include "record/mistake.hpp"
#include "report/catalogue/catalogue.hpp"
#include "report/explain/explain.hpp"

namespace warpfiber::report {
namespace {

using record::Mistake;
using record::Verdict;

/// What compute-sanitizer calls it: the catalogue's term of a verdict, or one that no verdict as a whole has.
struct VendorTerm {
  std::string_view own{};
  std::optional<Verdict> listed{};

  constexpr VendorTerm() = default;
  constexpr VendorTerm(std::string_view text) : own(text) {}
  constexpr VendorTerm(const char* text) : own(text) {}
  constexpr VendorTerm(Verdict verdict) : listed(verdict) {}

  std::string_view text() const { return listed.has_value() ? entry_of(*listed).sanitizer_term : own; }
};

struct MistakeRow {
  Mistake mistake;
  std::string_view why;
  std::string_view fix;
  VendorTerm sanitizer_term{};
};

constexpr MistakeRow kMistakes[] = {
    {Mistake::same_value_stored,
     "Several threads store the same value without order. The result is the same, but CUDA's memory model calls it a "
     "data race.",
     "let one thread store it, or use an atomic store",
     {}},
    {Mistake::read_only_load_of_written,
     "__ldg() and texture fetches may get an older value: within a kernel they are not coherent with its writes, even "
     "where a barrier lies between.",
     "read the memory with a plain load, or write it in an earlier kernel",
     {}},
    {Mistake::object_of_no_argument,
     "No argument of the kernel and no pointer in device memory points into this object: the index of another object "
     "is out of bounds.",
     "check the index against the extent before the access",
     {}},
    {Mistake::constant_written,
     "A kernel cannot write __constant__ memory.",
     "write it from the host with cudaMemcpyToSymbol(), or use a __device__ variable",
     {}},
    {Mistake::freed_before_access, "The memory was freed before this access.",
     "free it after the last kernel that uses it has ended", kInvalidAccess},
    {Mistake::access_misaligned, "The address is not a multiple of the size of the access.",
     "use an aligned address, or access the elements one by one", Verdict::misaligned},
    {Mistake::alignment_not_declared,
     "The call promises a larger alignment than the declaration guarantees. A device may place the variable at any "
     "address that the declaration allows, and the copy traps where that breaks the promise.",
     "declare the variable with that alignment, for example alignas(16)",
     {}},
    {Mistake::local_of_another_thread,
     "The address is that of another thread's local variable. On the device every thread has its own local memory, "
     "where the same address is the reader's own variable.",
     "put the variable into shared or global memory, or pass its value",
     {}},
    {Mistake::pageable_host_memory,
     "The address is in pageable host memory, which a device cannot access unless it supports pageable memory access.",
     "allocate it with cudaMalloc() or cudaMallocManaged(), or copy it", kInvalidAccess},
    {Mistake::host_name_of_device,
     "The address is what host code has by the name of a variable or function of the device: that of the host's own "
     "copy, which a device cannot reach.",
     "pass what cudaGetSymbolAddress() returns for a variable; copy a pointer to a function from a __device__ variable "
     "with cudaMemcpyFromSymbol()",
     kInvalidAccess},
    {Mistake::host_virtual_table,
     "The object was constructed by host code, so that its pointer to the table of virtual functions is the host's, "
     "which a device cannot reach.",
     "construct the object in a kernel, with new or with placement new in device memory", kInvalidAccess},
    {Mistake::atomic_scope_too_small,
     "Both accesses are atomic, but the scope of one of them does not include the other thread.",
     "use the atomic function without the suffix _block, or cuda::thread_scope_device",
     {}},
    {Mistake::relies_on_lock_step,
     "Both accesses are volatile, so this is not a data race, but nothing orders the lanes of a warp. The program "
     "seems to rely on lock-step execution, which devices since sm_70 do not guarantee.",
     "__syncwarp() between the two, or a shuffle instead of both",
     {}},
    {Mistake::written_for_lock_step,
     "This code relies on lock-step of warps, as before Volta (sm_70): each lane counts on what the others have stored "
     "or read by then. volatile orders nothing.",
     "__syncwarp() between the steps: after each read and after each store that other lanes' accesses follow; or "
     "compile for an architecture that runs warps so (-arch=sm_60)",
     {}},
    {Mistake::volatile_store_overwrites,
     "Nothing orders these two writes, so either may be the last: what the other one has stored or changed is then "
     "lost. volatile orders nothing.",
     "let one thread write it, or use an atomic function for every change and a barrier or a fence between the two",
     {}},
    {Mistake::volatile_store_without_lock,
     "One of the two accesses is made in a critical section, the write is not, although its thread has read the word "
     "under the same lock. volatile orders nothing.",
     "make the write while the lock is held",
     {}},
    {Mistake::atomics_of_two_widths,
     "The two atomics access the same bytes in different widths. Each is atomic only for accesses of its own address "
     "and width, so one may come between the read and the write of the other.",
     "access the word by atomics of one width everywhere",
     {}},
    {Mistake::global_never_written, "This memory has not been written since it was allocated: its value is undefined.",
     "write all of it before it is read, including the elements beyond the last full tile", Verdict::uninit_global},
    {Mistake::shared_never_written, "No thread of the block has written this memory: its value is undefined.",
     "write all of it before it is read, including the elements beyond the last full tile", Verdict::uninit_shared},
    {Mistake::unwritten_value_moved,
     "This memory has not been written, so its value is undefined. The thread only stores it elsewhere, and uses of it "
     "there are reported.",
     "write all of it before it is read, including the elements beyond the last full tile", Verdict::uninit_global},
    {Mistake::unwritten_value_used, "The value was copied from memory that has not been written: it is undefined.",
     "write the memory that it was copied from, including the elements beyond the last full tile",
     Verdict::uninit_global},
    {Mistake::shared_of_other_block,
     "The address is in the shared memory of another block, or of one that has ended. A pointer to shared memory is "
     "valid in its block, as long as that runs.",
     "store the values in global memory, and pass a pointer to that", kInvalidAccess},
    {Mistake::shared_of_ended_block,
     "The address is in the shared memory of a block that has ended, and its variables with it. Later blocks, and "
     "those "
     "of later kernels, have shared memory of their own.",
     "store the values in global memory, and pass a pointer to that", kInvalidAccess},
    {Mistake::shared_arrays_are_one,
     "All extern __shared__ arrays of a block begin at one address: they are one memory, and what was stored by one "
     "name has been overwritten by the other.",
     "declare one extern __shared__ array, let the others be pointers behind it, and pass the size of all at the "
     "launch",
     {}},
    {Mistake::number_not_representable,
     "The integer type cannot represent the number, so the result is undefined in C++. A device converts to the "
     "nearest integer of 32 or 64 bits, and a NaN to 0; the result here may differ.",
     "compare or clamp the number before the conversion, or use a wider type",
     {}},
    {Mistake::bool_neither_0_nor_1,
     "The byte is neither 0 nor 1, which no bool has in C++. A device takes any byte but 0 for true; here both f and "
     "!f "
     "may be true.",
     "store true and false, for example with cudaMemset(flags, 1, n), or read the byte as an unsigned char",
     {}},
    {Mistake::address_not_canonical,
     "The address cannot be accessed. It is not canonical, so the processor does not report its value.",
     "check the index against the extent, and the pointer against null, before the access",
     {}},
    {Mistake::copy_destination_accessed,
     "The destination of an asynchronous copy is accessed before the copy is complete: no wait lies between them.",
     "wait for the copy (cg::wait(), __pipeline_wait_prior(0), consumer_wait()) between the two",
     "invalid memcpy_async synchronization"},
    {Mistake::copy_source_overwritten,
     "The source of an asynchronous copy is overwritten before the copy is complete: no wait lies between them.",
     "wait for the copy before the store",
     {}},
    {Mistake::copy_pending_at_return,
     "The thread returns while its asynchronous copy is still pending.",
     "wait for the copy before the kernel returns",
     {}},
    {Mistake::owner_may_have_returned, "The block that owns this shared memory may have returned before the access.",
     "cluster.sync() after the last access to another block's shared memory", "might have already exited"},
    {Mistake::owner_may_not_have_started, "The block that owns this shared memory may not have started yet.",
     "cluster.sync() before the first access to another block's shared memory", "might not have entered yet"},
    {Mistake::rank_of_foreign_pointer,
     "map_shared_rank() takes a pointer to the caller's own shared memory.",
     "pass a pointer to a shared variable",
     {}},
    {Mistake::rank_asked_of_foreign_pointer,
     "The pointer is not to the shared memory of a block of the caller's cluster.",
     "pass a pointer to a shared variable, or one that map_shared_rank() returned",
     {}},
    {Mistake::shuffle_outside_mask,
     "The shuffle reads from a lane that is not in its mask, so its result is undefined.",
     "read from a lane of the mask, or add that lane to the mask and let it execute the shuffle",
     {}},
    {Mistake::shuffle_outside_mask_used,
     "The shuffle reads from a lane that is not in its mask, so its result is undefined, and the thread uses it.",
     "use the result only where the source lane is in the mask, or shuffle with all lanes and a neutral value in the "
     "idle ones",
     {}},
    {Mistake::shuffle_outside_mask_at_edge,
     "The shuffle reads from a lane that is not in its mask, so its result is undefined. This is harmless if the "
     "result is not used.",
     "do not use the result, or shuffle with a mask of all lanes",
     {}},
    {Mistake::shuffle_from_returned_lane,
     "The shuffle reads from a lane of its mask that has returned, so its result is undefined. It is 0 on an H200 and "
     "in this run.",
     "keep that lane until the shuffle, or read from a lane that has not returned",
     {}},
    {Mistake::mask_of_active_lanes,
     "The mask comes from __activemask(), which only tells which lanes happen to execute it together. It does not "
     "bring lanes together, and after a branch or a loop nothing promises that they are.",
     "compute the mask by __ballot_sync(0xffffffff, condition) before the lanes diverge, or pass 0xffffffff where all "
     "lanes execute the call",
     {}},
    {Mistake::masks_differ_at_call,
     "Lanes of one warp execute this call with different masks. The lanes that an earlier mask named had already "
     "executed it without the others.",
     "compute one mask for all lanes before they diverge: __ballot_sync(0xffffffff, condition)",
     {}},
    {Mistake::masks_exclude_each_other,
     "Lanes of one warp execute calls with different masks, and each mask contains lanes that wait at the other call.",
     "compute one mask before the lanes diverge: __ballot_sync(0xffffffff, condition)", Verdict::bad_mask},
    {Mistake::mask_of_absent_lanes, "The mask contains lanes that never execute this call.",
     "pass a mask of the lanes that execute it: __ballot_sync(0xffffffff, condition) before the branch",
     Verdict::bad_mask},
    {Mistake::tile_rank_too_large,
     "The tile has no thread of this rank. Tile shuffles take ranks modulo the size, so rank + 1 of the last thread is "
     "the first.",
     "if that is intended, write shfl(value, rank % tile.size())",
     {}},
    {Mistake::block_barriers_differ,
     "Threads of one block wait at two different barrier calls. A device only counts arrivals and may release both, "
     "but then the barrier does not order the accesses of these threads.",
     "use one __syncthreads() outside the branch, which every thread of the block reaches",
     Verdict::barrier_divergence},
    {Mistake::block_barriers_paired,
     "Whole warps of a block wait at two different barrier calls. A device counts the arrivals of warps, at whichever "
     "call, and lets them go on; so did this run. The barrier is defined only where all threads of the block reach the "
     "same call: with one more barrier on either side, the wrong ones meet or threads wait for ever.",
     "use one __syncthreads() outside the branch, which every thread of the block reaches",
     Verdict::barrier_divergence},
    {Mistake::block_barriers_differ_at_end, "Threads of one block wait at different barrier calls.",
     "use one __syncthreads() outside the branch, which every thread of the block reaches",
     Verdict::barrier_divergence},
    {Mistake::barrier_after_returns,
     "The barrier does not wait for threads that have returned. That is defined for devices since sm_70; older devices "
     "and other tools require every thread of the block to reach the barrier.",
     "make every thread reach the barrier: guard the work before and after it instead of returning early",
     {}},
    {Mistake::named_barrier_number, "A block has barriers 0 to 15.", "use a number from 0 to 15", {}},
    {Mistake::named_barrier_counts_differ,
     "Warps at one barrier pass different numbers of threads.",
     "pass the same number in every call for this barrier: the threads of all warps that arrive in one phase",
     {}},
    {Mistake::named_barrier_reduces_in_part,
     "Some warps execute bar.red at the barrier and others do not. Execution is then unpredictable (PTX ISA, \"bar\").",
     "execute bar.red in all warps that use the barrier in one phase, or in none",
     {}},
    {Mistake::named_barrier_operands_differ,
     "Lanes of one warp pass different barriers or different numbers of threads to one call.",
     "pass the same operands in all lanes of a warp",
     {}},
    {Mistake::block_not_repeated,
     "A function that runs a whole block (-fregions) had to stop: at an assertion, a trap, an exception, threads that "
     "do not meet, or when its time was over. Fibers then ran the block once more and nothing was wrong. The first run "
     "had changed memory, so the results are not those of one run.",
     "set WARPFIBER_REGIONS=off, and where blocks take long WARPFIBER_WATCHDOG",
     {}},
    {Mistake::caller_not_of_group,
     "The calling thread is not a member of the group. Only members may call a group's functions.",
     "call it only in threads of the group, or create a group that contains this thread",
     {}},
    {Mistake::grid_barrier_without_cooperation,
     "The launch is not cooperative, so its blocks are not guaranteed to be resident at the same time. A device traps "
     "here.",
     "launch with cudaLaunchCooperativeKernel() (in the native API .cooperative = true), with at most as many blocks "
     "as fit the device",
     {}},
    {Mistake::multi_grid_barrier_without_launch,
     "The grid was not launched by cudaLaunchCooperativeKernelMultiDevice(), so there is no multi-grid group: "
     "multi_grid_group::is_valid() is false. A device traps here.",
     "launch with cudaLaunchCooperativeKernelMultiDevice(), or synchronise one grid: this_grid().sync()",
     {}},
    {Mistake::collectives_of_group_differ,
     "Threads of one group call different collectives at the same time, so neither can complete.",
     "call the same sequence of collectives in every thread of the group",
     {}},
    {Mistake::tile_sizes_differ,
     "Threads of one block call tiled_partition() with different sizes.",
     "pass the same arguments in every thread of the group",
     {}},
    {Mistake::result_destinations_differ,
     "Threads of one group pass different destinations for one result. One thread of the group writes it; which one is "
     "unspecified.",
     "pass the same arguments in every thread of the group",
     {}},
    {Mistake::copy_by_some_of_group,
     "Only some threads of the group call memcpy_async(), which all of them must call; the others wait for the copy "
     "without having called it, so their part is never copied.",
     "call memcpy_async() in all threads of the group",
     {}},
    {Mistake::copy_sizes_differ,
     "Threads of one group call memcpy_async() with different sizes: each copies its part of a different copy, and no "
     "copy is complete.",
     "pass the same arguments in every thread of the group",
     {}},
    {Mistake::copy_destinations_differ,
     "Threads of one group call memcpy_async() with different destinations: each copies its part of a different copy, "
     "and no copy is complete.",
     "pass the same arguments in every thread of the group",
     {}},
    {Mistake::copy_sources_differ,
     "Threads of one group call memcpy_async() with different sources: each copies its part of a different copy, and "
     "no copy is complete.",
     "pass the same arguments in every thread of the group",
     {}},
    {Mistake::token_of_other_arrival,
     "The token is not the one that the thread's last arrival returned.",
     "pass the token of the last arrival, in the thread that arrived",
     {}},
    {Mistake::tile_larger_than_block,
     "The group is a tile larger than its block. The device waits for warps that do not exist.",
     "use a block size that is a multiple of the tile size",
     {}},
    {Mistake::last_tile_incomplete,
     "The group is the last tile of the block, which has too few threads to fill it. The device waits for warps that "
     "do not exist.",
     "use a block size that is a multiple of the tile size",
     {}},
    {Mistake::partition_of_others,
     "The thread is not a member of the group, so no member waits for this call.",
     "use the group that the partition returned to this thread",
     {}},
    {Mistake::calls_of_group_differ,
     "Threads of one group execute different calls, and each call waits for all threads of the group.",
     "execute the same sequence of calls in every thread of the group",
     {}},
    {Mistake::groups_overlap,
     "Groups with common threads wait for each other: a thread cannot wait in both groups at once.",
     "create the groups by one call that all their threads execute together, with equal arguments",
     {}},
    {Mistake::wide_group_incomplete,
     "Only some threads of a group that spans several blocks execute this call, which waits for all of them. The "
     "others wait elsewhere or have returned.",
     "execute the same sequence of calls in every thread of the group; return only after the last one",
     {}},
    {Mistake::group_incomplete,
     "Only some threads of the group execute this call, which waits for all of them. Threads that took another branch "
     "after the group was created are still members of it.",
     "create a group of the threads that reach this call: cg::coalesced_threads() in the branch, or a partition before "
     "it",
     {}},
    {Mistake::tile_not_within_warp,
     "The warp size of this launch is not a multiple of the tile size.",
     "use a tile size that divides LaunchConfig::warp_size",
     {}},
    {Mistake::tile_not_within_cluster,
     "The number of threads of the cluster is not a multiple of the tile size.",
     "use a tile size that divides the number of threads of the cluster",
     {}},
    {Mistake::tile_size_not_supported,
     "The tile size is not a power of two from 1 to 32. A device traps here.",
     "use 1, 2, 4, 8, 16 or 32 threads, or a tile whose size is a template argument",
     {}},
    {Mistake::piece_sizes_differ,
     "Threads of one group call tiled_partition() with different sizes.",
     "pass the same argument in every thread of the parent group",
     {}},
    {Mistake::grid_partitioned,
     "Grids and clusters cannot be partitioned at run time.",
     "use tiled_partition(this_thread_block(), threads)",
     {}},
    {Mistake::stride_zero, "The stride is 0.", "use a stride of at least 1", {}},
    {Mistake::strides_differ,
     "Threads of one group pass different strides.",
     "pass the same argument in every thread of the parent group",
     {}},
    {Mistake::group_of_other_block,
     "The group was created by a thread of another block, and the caller is not a member of it.",
     "use the group that the partition returned to this thread",
     {}},
    {Mistake::collectives_of_threads_differ,
     "Threads of one group call different collectives at the same time.",
     "call the same sequence of collectives in every thread of the group",
     {}},
    {Mistake::collectives_of_blocks_differ,
     "Blocks of one cluster or grid call different collectives at the same time.",
     "call the same sequence of collectives in every thread of the group",
     {}},
    {Mistake::function_not_of_multi_grid,
     "A thread_group of a multi-grid group does not have this function.",
     "use a group of the grid or of a part of it",
     {}},
    {Mistake::block_tile_memory_too_small,
     "The block has more threads than its block_tile_memory supports.",
     "use block_tile_memory<N> with N at least the number of threads of the block",
     {}},
    {Mistake::destinations_of_result_differ,
     "Threads of one group pass different destinations for one result.",
     "pass the same destination in every thread of the group",
     {}},
    {Mistake::source_not_in_group,
     "The group has no thread with the source rank.",
     "use a source rank from 0 to num_threads() - 1",
     {}},
    {Mistake::source_not_in_tile,
     "The tile has no thread with the source rank.",
     "use a source rank from 0 to num_threads() - 1",
     {}},
    {Mistake::sources_differ,
     "Threads of a tile of more than 32 threads pass different source ranks; all must pass the same rank.",
     "use one source rank for the whole tile, or shared memory",
     {}},
    {Mistake::producers_exceed_group,
     "There are more producers than threads in the group.",
     "pass a producer count of at most group.size()",
     {}},
    {Mistake::grid_elsewhere_missing,
     "Every block of this grid has reached the multi-grid barrier, but a grid on another device never does.",
     "start every grid of the launch, and make each reach every multi-grid barrier",
     {}},
    {Mistake::grid_barrier_after_returns,
     "A grid barrier waits for every block of the grid, but some blocks have returned.",
     "make every block reach every grid barrier; return only after the last one",
     {}},
    {Mistake::grid_barrier_first_thread_returned,
     "The first thread of a block arrives at the grid barrier for the whole block. It has returned, so its block never "
     "arrives.",
     "make every thread reach every grid barrier; return only after the last one",
     {}},
    {Mistake::grid_barrier_not_reached,
     "Some threads wait at the grid barrier; others wait at a different place and cannot reach it.",
     "call the same sequence of barriers in every thread of the grid",
     {}},
    {Mistake::cluster_barrier_not_reached,
     "Some threads of the cluster wait at the cluster barrier; the others wait at a different place and cannot reach "
     "it.",
     "move the cluster barrier out of branches that only some threads of the cluster take, and call all barriers in "
     "the same order in every thread",
     {}},
    {Mistake::locks_in_circle,
     "Each of these threads waits for something that only another of them can release.",
     "acquire the locks in the same order everywhere",
     {}},
    {Mistake::memory_unchanged,
     "No runnable thread changes the memory that the spinning threads read.",
     "make a thread store the value they wait for, before it waits itself",
     {}},
    {Mistake::memory_unchanged_others_wait,
     "No runnable thread changes the memory that the spinning threads read, and the others wait for the spinning "
     "threads.",
     "make a thread store the value they wait for, before it waits itself",
     {}},
    {Mistake::semaphore_empty,
     "The semaphore's count is zero, and no runnable thread will release it.",
     "call release() for each acquire(), before waiting for anything else",
     {}},
    {Mistake::bytes_not_expected,
     "All arrivals of the phase have been made, but the copies transferred bytes that the phase did not expect: a "
     "phase completes when exactly the expected bytes have been copied.",
     "pass the number of bytes that the copies to this barrier transfer to barrier_arrive_tx() or barrier_expect_tx()",
     {}},
    {Mistake::bytes_not_copied,
     "All arrivals of the phase have been made, but fewer bytes were copied than the phase expects: the barrier waits "
     "for asynchronous copies that no thread has started.",
     "pass the number of bytes that the copies to this barrier transfer to barrier_arrive_tx() or barrier_expect_tx()",
     {}},
    {Mistake::waits_in_circle,
     "Each of these waits for the other, so neither can continue.",
     "move calls that wait for a whole block or warp out of branches that only some of its threads take",
     {}},
    {Mistake::exception_left_kernel,
     "An exception left the kernel. Device code cannot throw; nvcc refuses it.",
     "catch it in the kernel, or store an error code in memory",
     {}},
    {Mistake::assertion_failed,
     "The condition is false in this thread. The device ends the launch with cudaErrorAssert.",
     "",
     {}},
    {Mistake::stopped_on_purpose, "The thread stopped on purpose. The device ends the launch.", "", {}},
    {Mistake::integer_division,
     "An integer was divided by zero, or the quotient is out of range. A device computes an undefined value here and "
     "continues.",
     "check the divisor before the division",
     {}},
    {Mistake::floating_point_trap,
     "The operation raised an exception for which a thread of the block has enabled traps. A device has none: the "
     "operation gives infinity or NaN there.",
     "do not call feenableexcept() or change MXCSR in device code",
     {}},
    {Mistake::invalid_instruction,
     "The thread executed __builtin_trap(), or code that the compiler considered unreachable.",
     "remove the call, or the undefined behaviour, at this line",
     {}},
    {Mistake::heap_freed_twice, "The memory was already freed, and may have been allocated again since.",
     "free each allocation once, and set the pointer to null after that", "Device-side double free"},
    {Mistake::heap_freed_inside,
     "The pointer is inside an allocation; it is not the one that malloc() or new returned.",
     "free the pointer that malloc() or new returned", Verdict::invalid_free},
    {Mistake::heap_freed_foreign,
     "The memory is not from the device's heap: only malloc() and new in a kernel allocate there.",
     "free memory of cudaMalloc() with cudaFree() on the host; do not free variables", Verdict::invalid_free},
    {Mistake::host_races_kernel,
     "The host does not wait for the kernel, which may run at the same time.",
     "cudaDeviceSynchronize() or cudaStreamSynchronize() before the host uses the memory",
     {}},
    {Mistake::host_races_command,
     "The host does not wait for the command, which may run at the same time.",
     "cudaStreamSynchronize() or cudaEventSynchronize() before the host uses the memory",
     {}},
    {Mistake::command_races_kernel,
     "Nothing orders the two: the kernel and the command are in different streams, which do not wait for each other.",
     "cudaEventRecord() after the first and cudaStreamWaitEvent() before the second, or one stream for both",
     {}},
    {Mistake::commands_race,
     "Nothing orders the two: the commands are in different streams, which do not wait for each other.",
     "cudaEventRecord() after the first and cudaStreamWaitEvent() before the second, or one stream for both",
     {}},
    {Mistake::event_not_recorded,
     "Nothing orders the two: the stream of the second waits for an event that had not been recorded by then, so the "
     "wait returns at once.",
     "cudaEventRecord() after the first and before the cudaStreamWaitEvent()",
     {}},
    {Mistake::used_before_allocation,
     "The memory is allocated in a stream that the other does not wait for. It exists from its allocation's turn in "
     "its "
     "stream on, whatever the pointer that the call returned.",
     "cudaEventRecord() after the allocation and cudaStreamWaitEvent() before the use, or one stream for both",
     {}},
    {Mistake::freed_during_kernel,
     "The memory is freed in a stream that does not wait for the kernel, which may still use it.",
     "cudaEventRecord() after the kernel and cudaStreamWaitEvent() before the free, or one stream for both",
     {}},
    {Mistake::freed_during_command,
     "The memory is freed in a stream that does not wait for the command, which may still use it.",
     "cudaEventRecord() after the command and cudaStreamWaitEvent() before the free, or one stream for both",
     {}},
    {Mistake::host_writes_device_memory,
     "The host cannot access device memory. With CUDA the program ends here with SIGSEGV, and so does this run.",
     "use cudaMemcpy() or cudaMemset(), or allocate the memory with cudaMallocManaged()",
     {}},
    {Mistake::host_reads_device_memory,
     "The host cannot access device memory. With CUDA the program ends here with SIGSEGV, and so does this run.",
     "copy it to host memory with cudaMemcpy() first, or allocate it with cudaMallocManaged()",
     {}},
    {Mistake::result_in_device_memory,
     "The call stores its result in device memory, which the host cannot access. With CUDA the program ends here with "
     "SIGSEGV, and so does this run.",
     "let the call store into host memory, an array of pointers for example, and copy that to the device with "
     "cudaMemcpy()",
     {}},
    {Mistake::host_uses_freed,
     "The memory was freed before this access by the host.",
     "free it after its last use",
     {}},
    {Mistake::host_out_of_bounds,
     "The access by the host is outside the allocation.",
     "check the index against the extent before the access",
     {}},
    {Mistake::constant_copy_not_set,
     "The copy of the variable that belongs to this file was never set. Another file has a copy of its own, which was: "
     "a "
     "__constant__ variable in a header that is static, or compiled without -rdc=true, exists once for each file.",
     "call cudaMemcpyToSymbol() in the file of the kernel, or declare the variable extern, define it once and compile "
     "with -rdc=true",
     {}},
    {Mistake::launch_at_exit,
     "The kernel does not run: the process is ending, and CUDA's runtime with it.",
     "launch it before main() returns, not in the destructor of a static object",
     {}},
};
static_assert(std::size(kMistakes) == static_cast<std::size_t>(record::kLastMistake) + 1);

constexpr bool mistakes_are_in_order() {
  for (std::size_t i = 0; i < std::size(kMistakes); ++i) {
    if (kMistakes[i].mistake != static_cast<Mistake>(i)) return false;
  }
  return true;
}
static_assert(mistakes_are_in_order());

}  // namespace

Sentences sentences_of(Mistake mistake) {
  const MistakeRow& row = kMistakes[static_cast<std::size_t>(mistake)];
  return {std::string(row.why), std::string(row.fix), std::string(row.sanitizer_term.text())};
}

}  // namespace warpfiber::report
