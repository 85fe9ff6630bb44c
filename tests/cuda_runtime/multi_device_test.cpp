// SPDX-License-Identifier: Apache-2.0
// Grids of several devices that are launched together: how many devices there are and who runs next is said by the
// environment, so each case runs in a process of its own.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <warpfiber/intrinsics/atomics.hpp>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "support/translated_kernels.hpp"

namespace cg = cooperative_groups;
using warpfiber::test::ChildEnd;
using warpfiber::test::in_child;

namespace {

constexpr unsigned kDevices = 3;
constexpr unsigned kBlocks = 5;
constexpr unsigned kThreads = 40;
constexpr unsigned kRounds = 12;

/// What the kernels below use, on the host's heap so that all devices see it.
struct Board {
  unsigned counts[kDevices] = {};
  unsigned wrong = 0;
  unsigned long long ranks = 0;
  unsigned flag = 0;
  unsigned done = 0;
};

#define KERNEL(name, ...)                                                  \
  void name(Board* given) {                                                \
    auto warpfiber_body = []([[maybe_unused]] Board * board) __VA_ARGS__;  \
    ABOUT_KERNEL(#name, , name);                                           \
    warpfiber::cuda::enter_kernel<warpfiber_about>(warpfiber_body, given); \
  }

KERNEL(
    meet, ->void {
      const cg::multi_grid_group all = cg::this_multi_grid();
      const unsigned mine = all.grid_rank();
      if (!all.is_valid() || all.num_grids() != kDevices || all.size() != kDevices * kBlocks * kThreads) {
        atomicAdd(&board->wrong, 1U);
      }
      atomicAdd(&board->ranks, all.thread_rank());
      for (unsigned round = 1; round <= kRounds; ++round) {
        atomicAdd(&board->counts[mine], 1U);
        if (round % 3 == 0) warpfiber::sync_grid();
        all.sync();
        for (const unsigned& count : board->counts) {
          if (atomicAdd(const_cast<unsigned*>(&count), 0U) != round * kBlocks * kThreads) atomicAdd(&board->wrong, 1U);
        }
        cg::sync(all);
      }
    })

KERNEL(
    sync_all, ->void { cg::this_multi_grid().sync(), atomicAdd(&board->done, 1U); })

KERNEL(
    other, ->void { cg::this_multi_grid().sync(), atomicAdd(&board->done, 2U); })

KERNEL(
    second_grid_returns, ->void {
      if (cg::this_multi_grid().grid_rank() == 1) return;
      cg::this_multi_grid().sync();
    })

KERNEL(
    last_block_returns, ->void {
      if (cg::this_multi_grid().grid_rank() == 1 && blockIdx.x == kBlocks - 1) return;
      cg::this_multi_grid().sync();
    })

KERNEL(
    first_grid_spins, ->void {
      if (cg::this_multi_grid().grid_rank() == 0) {
        while (atomicAdd(&board->flag, 0U) == 0) {
        }
      }
      cg::this_multi_grid().sync();
    })

KERNEL(
    first_grid_waits_for_the_last, ->void {
      if (cg::this_multi_grid().grid_rank() == 0) {
        while (atomicAdd(&board->flag, 0U) == 0) {
        }
      } else if (cg::this_multi_grid().grid_rank() == kDevices - 1 && threadIdx.x == 0) {
        atomicAdd(&board->flag, 1U);
      }
      cg::this_multi_grid().sync();
      atomicAdd(&board->done, 1U);
    })

KERNEL(
    two_barriers, ->void {
      if (threadIdx.x == 0) {
        cg::this_multi_grid().sync();
      } else {
        warpfiber::sync_grid();
      }
    })

KERNEL(
    asserts, ->void {
      if (cg::this_multi_grid().grid_rank() == 2) __builtin_trap();
      cg::this_multi_grid().sync();
    })

KERNEL(
    raise_flag, ->void { atomicAdd(&board->flag, 1U); })

KERNEL(
    expect_three, ->void {
      if (atomicAdd(&board->flag, 0U) != kDevices) atomicAdd(&board->wrong, 1U);
      cg::this_multi_grid().sync();
      atomicAdd(&board->done, 1U);
    })

KERNEL(
    expect_done, ->void {
      if (atomicAdd(&board->done, 0U) != kDevices * kBlocks * kThreads) atomicAdd(&board->wrong, 1U);
    })

KERNEL(
    meet_as_thread_group, ->void {
      const cg::thread_group all = cg::this_multi_grid();
      atomicAdd(&board->ranks, all.thread_rank());
      atomicAdd(&board->done, 1U);
      all.sync();
      if (atomicAdd(&board->done, 0U) != all.size() || all.size() != kDevices * kBlocks * kThreads) {
        atomicAdd(&board->wrong, 1U);
      }
    })

/// A launch on every device with a stream of its own.
struct Together {
  explicit Together(void (*kernel)(Board*), unsigned blocks = kBlocks) {
    argument = &board;
    for (unsigned device = 0; device < kDevices; ++device) {
      cudaSetDevice(static_cast<int>(device));
      cudaLaunchParams one{};
      one.func = reinterpret_cast<void*>(kernel);
      one.gridDim = dim3(blocks);
      one.blockDim = dim3(kThreads);
      one.args = arguments;
      cudaStreamCreate(&one.stream);
      list.push_back(one);
    }
    cudaSetDevice(0);
  }
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

  cudaError_t launch(unsigned flags = 0) {
    return cudaLaunchCooperativeKernelMultiDevice(list.data(), static_cast<unsigned>(list.size()), flags);
  }

  /// Waits for every stream; the errors in the order of the devices.
  std::vector<cudaError_t> synchronize() {
    std::vector<cudaError_t> errors;
    for (unsigned device = 0; device < kDevices; ++device) {
      cudaSetDevice(static_cast<int>(device));
      errors.push_back(cudaStreamSynchronize(list[device].stream));
    }
    return errors;
  }

  Board board{};
  Board* argument = nullptr;
  void* arguments[1] = {&argument};
  std::vector<cudaLaunchParams> list;
};

const std::vector<cudaError_t> kAllWell(kDevices, cudaSuccess);

/// Runs `body` in a process with as many devices, and further variables.
template <class Body>
ChildEnd with_devices(Body body, const std::vector<std::pair<const char*, std::string>>& variables = {}) {
  return in_child([&] {
    ::setenv("WARPFIBER_DEVICES", std::to_string(kDevices).c_str(), 1);
    for (const auto& [name, value] : variables) ::setenv(name, value.c_str(), 1);
    return body();
  });
}

/// The report about a kernel that makes a mistake, which leads to an error on all devices but `well`.
std::string report_of(void (*kernel)(Board*), int well = -1) {
  const ChildEnd end = with_devices([&] {
    Together all(kernel);
    if (all.launch() != cudaSuccess) return 1;
    const std::vector<cudaError_t> errors = all.synchronize();
    for (int device = 0; device < static_cast<int>(kDevices); ++device) {
      if ((errors[device] == cudaSuccess) != (device == well)) return 2;
    }
    return 0;
  });
  INFO(end.text);
  CHECK(end.exit_code == 0);
  return end.text;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("threads of several devices meet") {
  const auto [policy, workers, seed] = GENERATE(table<const char*, const char*, const char*>({
      {"in-order", "1", "0"},
      {"in-order", "2", "0"},
      {"random", "1", "1"},
      {"random", "1", "2"},
      {"random", "2", "3"},
      {"pct:3", "1", "4"},
  }));
  const ChildEnd end = with_devices(
      [] {
        Together all(meet);
        if (all.launch() != cudaSuccess || all.synchronize() != kAllWell) return 1;
        const unsigned long long threads = kDevices * kBlocks * kThreads;
        if (all.board.wrong != 0 || all.board.ranks != threads * (threads - 1) / 2) return 2;
        return 0;
      },
      {{"WARPFIBER_POLICY", policy}, {"WARPFIBER_WORKERS", workers}, {"WARPFIBER_SEED", seed}});
  INFO(policy << ", " << workers << " workers, seed " << seed << "\n" << end.text);
  CHECK(end.exit_code == 0);
}

TEST_CASE("launches on several devices follow each other") {
  const ChildEnd end = with_devices(
      [] {
        Together all(sync_all);
        for (unsigned i = 0; i < 20; ++i) {
          if (all.launch(i % 4) != cudaSuccess) return 1;
        }
        if (all.synchronize() != kAllWell) return 2;
        return all.board.done == 20 * kDevices * kBlocks * kThreads ? 0 : 3;
      },
      {{"WARPFIBER_ASYNC", GENERATE("late", "soon")}});
  INFO(end.text);
  CHECK(end.exit_code == 0);
}

TEST_CASE("a grid may wait for another device's by other means") {
  const ChildEnd end = with_devices([] {
    Together all(first_grid_waits_for_the_last);
    if (all.launch() != cudaSuccess || all.synchronize() != kAllWell) return 1;
    return all.board.done == kDevices * kBlocks * kThreads ? 0 : 2;
  });
  INFO(end.text);
  CHECK(end.exit_code == 0);
}

TEST_CASE("no grid starts before earlier work of all streams, and later work waits for all grids") {
  const ChildEnd end = with_devices(
      [] {
        Together all(expect_three);
        for (unsigned i = 0; i < kDevices; ++i) {
          cudaSetDevice(static_cast<int>(i));
          cudaLaunchKernel(reinterpret_cast<void*>(&raise_flag), 1, 1, all.arguments, 0, all.list[i].stream);
        }
        if (all.launch() != cudaSuccess) return 1;
        for (unsigned i = 0; i < kDevices; ++i) {
          cudaSetDevice(static_cast<int>(i));
          cudaLaunchKernel(reinterpret_cast<void*>(&expect_done), 1, 1, all.arguments, 0, all.list[i].stream);
        }
        if (all.synchronize() != kAllWell) return 2;
        return all.board.wrong == 0 ? 0 : 3;
      },
      {{"WARPFIBER_ASYNC", GENERATE("late", "soon")}});
  INFO(end.text);
  CHECK(end.exit_code == 0);
}

TEST_CASE("a multi-grid barrier in another launch is explained") {
  const bool cooperative = GENERATE(false, true);
  const ChildEnd end = with_devices([cooperative] {
    Together all(sync_all);
    void* function = all.list[0].func;
    const cudaError_t error = cooperative
                                  ? cudaLaunchCooperativeKernel(function, 2, 32, all.arguments, 0, all.list[0].stream)
                                  : cudaLaunchKernel(function, 2, 32, all.arguments, 0, all.list[0].stream);
    if (error != cudaSuccess) return 1;
    return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 2;
  });
  INFO(end.text);
  CHECK(end.exit_code == 0);
  CHECK(contains(end.text, "cg-misuse"));
  CHECK(contains(end.text, "no multi-grid group"));
}

TEST_CASE("outside a launch on several devices the group is not valid") {
  const ChildEnd end = with_devices([] {
    struct Answer {
      static void ask(Board* given) {
        auto warpfiber_body = [](Board* board) -> void {
          const cg::multi_grid_group all = cg::this_multi_grid();
          if (all.is_valid() || all.num_grids() != 0 || all.size() != 0 || all.grid_rank() != 0) board->wrong = 1;
          board->done = 1;
        };
        ABOUT_KERNEL("ask", , ask);
        warpfiber::cuda::enter_kernel<warpfiber_about>(warpfiber_body, given);
      }
    };
    Together all(&Answer::ask);
    cudaLaunchKernel(all.list[0].func, 1, 1, all.arguments, 0, nullptr);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    return all.board.done == 1 && all.board.wrong == 0 ? 0 : 2;
  });
  CHECK(end.exit_code == 0);
}

TEST_CASE("a grid that has returned is missed") {
  const std::string text = report_of(second_grid_returns, 1);
  CHECK(contains(text, "deadlock"));
  CHECK(contains(text, "multi-grid barrier"));
  CHECK(contains(text, "grid 1 has returned"));
}

TEST_CASE("a block that has returned is missed") {
  const std::string text = report_of(last_block_returns);
  CHECK(contains(text, "deadlock"));
  CHECK(contains(text, "some blocks have returned"));
}

TEST_CASE("grids that wait for one that spins are explained") {
  const std::string text = report_of(first_grid_spins);
  CHECK(contains(text, "spin"));
  CHECK(contains(text, "on other devices"));
}

TEST_CASE("threads of a block at a grid barrier and at a multi-grid barrier are told apart") {
  const std::string text = report_of(two_barriers);
  CHECK(contains(text, "barrier-divergence"));
}

TEST_CASE("what goes wrong on one device ends the others") {
  const std::string text = report_of(asserts);
  CHECK(contains(text, "trap"));
}

TEST_CASE("a launch on several devices is refused where it breaks a rule") {
  struct Rule {
    const char* name;
    void (*break_it)(Together&);
    cudaError_t error;
    unsigned flags = 0;
  };
  static constexpr Rule kRules[] = {
      {"no devices", [](Together& all) { all.list.clear(); }, cudaErrorInvalidValue},
      {"the same device twice",
       [](Together& all) {
         cudaSetDevice(1);
         cudaStreamCreate(&all.list[2].stream);
       },
       cudaErrorInvalidValue},
      {"another kernel", [](Together& all) { all.list[1].func = reinterpret_cast<void*>(&other); },
       cudaErrorInvalidValue},
      {"another grid", [](Together& all) { all.list[2].gridDim.y = 2; }, cudaErrorInvalidValue},
      {"another block", [](Together& all) { all.list[0].blockDim.x = 32; }, cudaErrorInvalidValue},
      {"other shared memory", [](Together& all) { all.list[1].sharedMem = 16; }, cudaErrorInvalidValue},
      {"a default stream", [](Together& all) { all.list[1].stream = nullptr; }, cudaErrorInvalidValue},
      {"the legacy stream", [](Together& all) { all.list[1].stream = cudaStreamLegacy; }, cudaErrorInvalidValue},
      {"a thread's stream", [](Together& all) { all.list[1].stream = cudaStreamPerThread; }, cudaErrorInvalidValue},
      {"a destroyed stream", [](Together& all) { cudaStreamDestroy(all.list[1].stream); },
       cudaErrorInvalidResourceHandle},
      {"an unknown flag", [](Together&) {}, cudaErrorInvalidValue, 4},
      {"no kernel",
       [](Together& all) {
         for (cudaLaunchParams& one : all.list) one.func = &all;
       },
       cudaErrorInvalidDeviceFunction},
      {"too many blocks",
       [](Together& all) {
         for (cudaLaunchParams& one : all.list) one.gridDim = dim3(100000);
       },
       cudaErrorCooperativeLaunchTooLarge},
  };
  const Rule& rule = kRules[GENERATE(range(std::size_t{0}, std::size(kRules)))];
  const ChildEnd end = with_devices([&rule] {
    Together all(sync_all);
    rule.break_it(all);
    if (all.launch(rule.flags) != rule.error || cudaGetLastError() != rule.error) return 1;
    cudaDeviceSynchronize();
    return all.board.done == 0 ? 0 : 2;
  });
  INFO(rule.name << "\n" << end.text);
  CHECK(end.exit_code == 0);
}

TEST_CASE("names that CUDA 13 has dropped do what they did") {
  const ChildEnd end = with_devices([] {
    std::size_t limit = 0;
    cudaFuncCache cache{};
    cudaDeviceProp properties{};
    int multi = 0;
    double number = 1;
    const bool well =
        cudaThreadSynchronize() == cudaSuccess && cudaThreadSetLimit(cudaLimitStackSize, 4096) == cudaSuccess &&
        cudaThreadGetLimit(&limit, cudaLimitStackSize) == cudaSuccess && limit == 4096 &&
        cudaThreadSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess &&
        cudaThreadGetCacheConfig(&cache) == cudaSuccess && cache == cudaFuncCachePreferL1 &&
        cudaSetDoubleForDevice(&number) == cudaSuccess && cudaSetDoubleForHost(&number) == cudaSuccess &&
        cudaGetDeviceProperties(&properties, 1) == cudaSuccess && properties.cooperativeMultiDeviceLaunch == 1 &&
        cudaDeviceGetAttribute(&multi, cudaDevAttrCooperativeMultiDeviceLaunch, 1) == cudaSuccess && multi == 1 &&
        cudaThreadExit() == cudaSuccess && cudaThreadGetLimit(&limit, cudaLimitStackSize) == cudaSuccess &&
        limit == 1024;
    return well ? 0 : 1;
  });
  CHECK(end.exit_code == 0);
}

TEST_CASE("a thread_group made of all grids has their barrier and ranks") {
  const ChildEnd end = with_devices([] {
    Together all(meet_as_thread_group);
    if (all.launch() != cudaSuccess || all.synchronize() != kAllWell) return 1;
    const unsigned long long threads = kDevices * kBlocks * kThreads;
    return all.board.wrong == 0 && all.board.ranks == threads * (threads - 1) / 2 ? 0 : 2;
  });
  INFO(end.text);
  CHECK(end.exit_code == 0);
}
