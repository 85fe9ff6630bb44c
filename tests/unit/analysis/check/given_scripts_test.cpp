// SPDX-License-Identifier: Apache-2.0
// Programs of tests/hazards/given as scripts of events: the checker finds the defect at the marked lines, and nothing
// else, in whatever order threads come; and nothing in the correct ones.
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "report/catalogue/catalogue.hpp"
#include "support/catch.hpp"
#include "unit/analysis/check/event_script.hpp"

using namespace warpfiber::check;
using namespace warpfiber::check::test;
using warpfiber::record::Verdict;

namespace {

constexpr unsigned kWord = kWordBytes;

void async_never_waited(EventScript& s) {
  char* in = s.global(64 * kWord);
  s.thread(0, 0);
  s.copy_async(s.shared(0, 0), in, 64 * kWord, 'A');
  s.commit_copies();
}

void async_source_overwritten(EventScript& s) {
  char* buf = s.global(64 * kWord);
  s.thread(0, 0);
  s.copy_async(s.shared(0, 0), buf, 64 * kWord, 'A');
  s.commit_copies();
  s.each_thread(0, [&](unsigned t) { s.write(buf + t * kWord, 'B'); });
  s.thread(0, 0);
  s.wait_for_copies(0);
}

void async_thread_wait_without_barrier(EventScript& s) {
  char* in = s.global(128 * kWord);
  s.each_thread(0, [&](unsigned t) {
    s.copy_async(s.shared(0, t), in + t * kWord, kWord, 'A');
    s.commit_copies();
    s.wait_for_copies(0);
  });
  s.each_thread(0, [&](unsigned t) { s.read(s.shared(0, 127 - t), 'B'); });
}

void async_wait_prior_too_weak(EventScript& s) {
  char* in = s.global(128 * kWord);
  s.thread(0, 0);
  s.copy_async(s.shared(0, 0), in, 64 * kWord);
  s.commit_copies();
  s.copy_async(s.shared(0, 64), in + 64 * kWord, 64 * kWord, 'A');
  s.commit_copies();
  s.wait_for_copies(1);
  s.barrier(0);
  s.each_thread(0, [&](unsigned t) {
    s.read(s.shared(0, t), 'C');
    s.read(s.shared(0, 64 + t), 'B');
  });
  s.thread(0, 0);
  s.wait_for_copies(0);
}

void dsmem_block_barrier_only(EventScript& s) {
  s.cluster_barrier(0);
  s.each([&](unsigned block, unsigned t) { s.write(s.shared(block, t), 'A'); });
  s.barrier(0);
  s.barrier(1);
  s.each([&](unsigned block, unsigned t) { s.read(s.shared(1 - block, t), 'B'); });
  s.cluster_barrier(0);
}

void dsmem_peer_exited(EventScript& s) {
  s.each([&](unsigned block, unsigned t) { s.write(s.shared(block, t)); });
  s.cluster_barrier(0);
  s.each_thread(1, [&](unsigned t) { s.read(s.shared(0, t), 'A'); });
}

void global_atomic_block_scope(EventScript& s) {
  char* counter = s.global(kWord);
  s.each([&](unsigned, unsigned) { s.atomic_add(counter, 'A', Scope::block); });
}

void global_block_sync_for_grid_sync(EventScript& s) {
  char* a = s.global(128 * kWord);
  s.each([&](unsigned block, unsigned t) { s.write(a + (block * 32 + t) * kWord, 'A'); });
  for (unsigned block = 0; block < 4; ++block) s.barrier(block);
  s.each([&](unsigned block, unsigned t) { s.read(a + (block * 32 + t + 1) % 128 * kWord, 'B'); });
}

void global_flag_without_fence(EventScript& s) {
  char* payload = s.global(2 * kWord);
  s.thread(0, 0);
  s.write(payload, 'A');
  s.volatile_write(payload + kWord);
  s.thread(1, 0);
  s.volatile_read(payload + kWord);
  s.read(payload, 'B');
}

void global_lost_update(EventScript& s) {
  char* counter = s.global(kWord);
  s.each([&](unsigned, unsigned) {
    s.read(counter, 'A');
    s.write(counter, 'A');
  });
}

void host_pointer_in_kernel(EventScript& s) {
  const std::unique_ptr<char[]> memory(new char[kWord]);
  s.thread(0, 0);
  s.outside_read(memory.get(), 'A');
}

void local_pointer_escapes(EventScript& s) {
  static const char locals[32][kWord] = {};
  for (unsigned t = 0; t < 32; ++t) s.local(locals[t], kWord, t);
  s.thread(0, 0);
  s.write(s.shared(0, 0));
  s.barrier(0);
  s.each_thread(0, [&](unsigned t) {
    s.read(s.shared(0, 0));
    s.outside_read(locals[0], 'A');
    s.outside_read(locals[t], 'B');
  });
}

void mask_source_lane_outside(EventScript& s) {
  s.each_thread(0, [&](unsigned t) {
    if (t < 16) s.shuffle_from_outside(0xffff, 20, 'A');
  });
}

void misaligned_vector_access(EventScript& s) {
  char* in = s.global(64 * kWord);
  s.thread(0, 0);
  s.misaligned_read(in + kWord, 16, 'A');
  s.read(in + kWord, 'A', 16);
}

void oob_global_into_neighbour(EventScript& s) {
  char* a = s.global(256);
  char* b = s.global(256);
  s.arguments({a});
  s.thread(0, 0);
  s.write(b, 'A', 1);
}

void oob_global_off_by_one(EventScript& s) {
  char* p = s.global(100 * kWord);
  s.each([&](unsigned block, unsigned t) {
    if (block * 32 + t <= 100) s.write(p + (block * 32 + t) * kWord, 'A');
  });
}

void oob_shared_dynamic(EventScript& s) {
  s.each_thread(0, [&](unsigned t) { s.write(s.shared(0, t), 'A'); });
  s.barrier(0);
}

void shared_atomic_vs_plain_read(EventScript& s) {
  s.thread(0, 0);
  s.write(s.shared(0, 0));
  s.barrier(0);
  s.each_thread(0, [&](unsigned) {
    s.atomic_add(s.shared(0, 0), 'A');
    s.read(s.shared(0, 0), 'B');
  });
}

void shared_missing_barrier(EventScript& s) {
  s.each_thread(0, [&](unsigned t) { s.write(s.shared(0, t), 'A'); });
  s.each_thread(0, [&](unsigned t) { s.read(s.shared(0, 127 - t), 'B'); });
}

void shared_syncwarp_across_warps(EventScript& s) {
  s.each_thread(0, [&](unsigned t) { s.write(s.shared(0, t), 'A'); });
  for (unsigned warp = 0; warp < 2; ++warp) s.warp_barrier(0, warp);
  s.each_thread(0, [&](unsigned t) { s.read(s.shared(0, t ^ 32), 'B'); });
}

void shared_war_single_barrier_loop(EventScript& s) {
  for (unsigned i = 0; i < 8; ++i) {
    s.each_thread(0, [&](unsigned t) { s.write(s.shared(0, t), 'B'); });
    s.barrier(0);
    s.each_thread(0, [&](unsigned t) { s.read(s.shared(0, (t + 1) % 96), 'A'); });
  }
}

void uninit_global(EventScript& s) {
  char* p = s.undefined_global(64 * kWord);
  host_writes().add(p, 64);
  s.each_thread(0, [&](unsigned t) {
    s.read(p + t * kWord, 'A');
    s.write(p + t * kWord);
  });
}

void uninit_shared(EventScript& s) {
  s.each_thread(0, [&](unsigned t) {
    if (t < 48) s.write(s.shared(0, t));
  });
  s.barrier(0);
  s.thread(0, 0);
  for (unsigned i = 0; i < 64; ++i) s.read(s.shared(0, i), 'A');
}

void use_after_free(EventScript& s) {
  char* p = s.global(64 * kWord);
  s.free(p);
  s.each_thread(0, [&](unsigned t) { s.write(p + t * kWord, 'A'); });
}

void barrier_producer_consumer(EventScript& s) {
  const char phase = 0;
  s.each_thread(0, [&](unsigned t) {
    if (t >= 32) return;
    s.write(s.shared(0, t));
    s.arrive(&phase);
  });
  s.phase_end(&phase);
  s.each_thread(0, [&](unsigned t) {
    if (t < 32) return;
    s.wait(&phase);
    s.read(s.shared(0, t - 32));
  });
}

void block_reverse(EventScript& s) {
  s.each_thread(0, [&](unsigned t) { s.write(s.shared(0, t)); });
  s.barrier(0);
  s.each_thread(0, [&](unsigned t) { s.read(s.shared(0, 127 - t)); });
}

void double_buffer_one_barrier(EventScript& s) {
  for (unsigned i = 0; i < 8; ++i) {
    s.each_thread(0, [&](unsigned t) { s.write(s.shared(0, i % 2 * 96 + t)); });
    s.barrier(0);
    s.each_thread(0, [&](unsigned t) { s.read(s.shared(0, i % 2 * 96 + (t + 1) % 96)); });
  }
}

void cluster_barriers(EventScript& s) {
  s.each([&](unsigned block, unsigned t) { s.write(s.shared(block, t)); });
  s.cluster_barrier(0);
  s.each([&](unsigned block, unsigned t) { s.read(s.shared(1 - block, t)); });
  s.cluster_barrier(0);
}

void grid_barriers(EventScript& s) {
  char* a = s.global(128 * kWord);
  s.each([&](unsigned block, unsigned t) { s.write(a + (block * 32 + t) * kWord); });
  s.grid_barrier();
  s.each([&](unsigned block, unsigned t) { s.read(a + (block * 32 + t + 1) % 128 * kWord); });
}

void message_passing_atomic_ref(EventScript& s) {
  char* payload = s.global(2 * kWord);
  s.thread(0, 0);
  s.write(payload);
  s.atomic_store(payload + kWord, ' ', __ATOMIC_RELEASE);
  s.thread(1, 0);
  s.atomic_load(payload + kWord, ' ', __ATOMIC_ACQUIRE);
  s.read(payload);
}

void message_passing_by_fences(EventScript& s) {
  char* payload = s.global(2 * kWord);
  s.thread(0, 0);
  s.write(payload);
  s.fence();
  s.volatile_write(payload + kWord);
  s.thread(1, 0);
  s.volatile_read(payload + kWord);
  s.fence();
  s.read(payload);
}

void warp_reduce_syncwarp(EventScript& s) {
  s.each_thread(0, [&](unsigned t) { s.write(s.shared(0, t)); });
  s.warp_barrier(0, 0);
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    s.each_thread(0, [&](unsigned t) {
      if (t >= distance) return;
      s.read(s.shared(0, t));
      s.read(s.shared(0, t + distance));
      s.write(s.shared(0, t));
    });
    s.warp_barrier(0, 0);
  }
}

void intrawarp_spinlock(EventScript& s) {
  char* lock = s.global(2 * kWord);
  s.each([&](unsigned, unsigned) {
    s.atomic_add(lock);
    s.fence();
    s.read(lock + kWord);
    s.write(lock + kWord);
    s.fence();
    s.atomic_add(lock);
  });
}

/// Blocks add to bins and count themselves; the thread that comes last reads the bins. Shared memory holds whether.
void add_and_retire(EventScript& s, bool barrier) {
  char* bins = s.global(4 * kWord);
  char* count = s.global(kWord);
  for (unsigned block = 0; block < 3; ++block) {
    s.each_thread(block, [&](unsigned t) { s.update(bins + t % 4 * kWord, 'A'); });
    if (barrier) s.barrier(block);
    s.thread(block, 0);
    s.fence();
    s.update(count, 'C', true);
    if (block < 2) continue;
    s.barrier(block);
    s.thread(block, 0);
    s.fence();
    for (unsigned bin = 0; bin < 4; ++bin) s.read(bins + bin * kWord, 'B');
    s.write(count);
  }
}
void retirement_without_barrier(EventScript& s) {
  add_and_retire(s, false);
}
void retirement(EventScript& s) {
  add_and_retire(s, true);
}

/// The thread that counts last starts the count anew, without a fence.
void count_and_restart(EventScript& s) {
  char* count = s.global(kWord);
  s.each([&](unsigned, unsigned) { s.update(count, 'A', true); });
  s.write(count);
}

void pipeline_two_stages(EventScript& s) {
  char* in = s.global(128 * kWord);
  s.each_thread(0, [&](unsigned t) {
    for (unsigned stage = 0; stage < 2; ++stage) {
      s.copy_async(s.shared(0, stage * 64 + t), in + (stage * 64 + t) * kWord, kWord);
      s.commit_copies();
    }
  });
  for (unsigned stage = 0; stage < 2; ++stage) {
    s.each_thread(0, [&](unsigned) { s.wait_for_copies(1 - stage); });
    s.barrier(0);
    s.each_thread(0, [&](unsigned t) { s.read(s.shared(0, stage * 64 + 63 - t)); });
  }
}

struct GivenScript {
  const char* name;
  Verdict verdict;
  const char* marks;
  ScriptShape shape;
  void (*events)(EventScript& script);
};

const GivenScript kHazards[] = {
    {"async_never_waited", Verdict::async_hazard, "A", {.threads = 64}, async_never_waited},
    {"async_source_overwritten", Verdict::async_hazard, "AB", {.threads = 64}, async_source_overwritten},
    {"async_thread_wait_without_barrier",
     Verdict::race_shared,
     "AB",
     {.threads = 128},
     async_thread_wait_without_barrier},
    {"async_wait_prior_too_weak", Verdict::async_hazard, "AB", {.threads = 64}, async_wait_prior_too_weak},
    {"dsmem_block_barrier_only",
     Verdict::race_dsmem,
     "AB",
     {.blocks = 2, .threads = 64, .cluster = 2},
     dsmem_block_barrier_only},
    {"dsmem_peer_exited", Verdict::dsmem_lifetime, "A", {.blocks = 2, .cluster = 2}, dsmem_peer_exited},
    {"global_atomic_block_scope", Verdict::race_global, "A", {.blocks = 4, .threads = 64}, global_atomic_block_scope},
    {"global_block_sync_for_grid_sync", Verdict::race_global, "AB", {.blocks = 4}, global_block_sync_for_grid_sync},
    {"global_flag_without_fence", Verdict::race_global, "AB", {.blocks = 2}, global_flag_without_fence},
    {"global_lost_update", Verdict::race_global, "A", {.blocks = 4, .threads = 64}, global_lost_update},
    {"host_pointer_in_kernel", Verdict::oob_global, "A", {.threads = 1}, host_pointer_in_kernel},
    {"local_pointer_escapes", Verdict::local_escape, "A", {}, local_pointer_escapes},
    {"mask_source_lane_outside", Verdict::bad_mask, "A", {}, mask_source_lane_outside},
    {"misaligned_vector_access", Verdict::misaligned, "A", {.threads = 1}, misaligned_vector_access},
    {"oob_global_into_neighbour", Verdict::oob_global, "A", {.threads = 1}, oob_global_into_neighbour},
    {"oob_global_off_by_one", Verdict::oob_global, "A", {.blocks = 4}, oob_global_off_by_one},
    {"oob_shared_dynamic", Verdict::oob_shared, "A", {.threads = 64, .shared = 32 * kWord}, oob_shared_dynamic},
    {"shared_atomic_vs_plain_read", Verdict::race_shared, "AB", {.threads = 128}, shared_atomic_vs_plain_read},
    {"shared_missing_barrier", Verdict::race_shared, "AB", {.threads = 128}, shared_missing_barrier},
    {"shared_syncwarp_across_warps", Verdict::race_shared, "AB", {.threads = 64}, shared_syncwarp_across_warps},
    {"shared_war_single_barrier_loop", Verdict::race_shared, "AB", {.threads = 96}, shared_war_single_barrier_loop},
    {"uninit_global", Verdict::uninit_global, "A", {.threads = 64}, uninit_global},
    {"uninit_shared", Verdict::uninit_shared, "A", {.threads = 64}, uninit_shared},
    {"use_after_free", Verdict::use_after_free, "A", {.threads = 64}, use_after_free},
};

struct CorrectScript {
  const char* name;
  ScriptShape shape;
  void (*events)(EventScript& script);
};

const CorrectScript kCorrect[] = {
    {"barrier_producer_consumer", {.threads = 64}, barrier_producer_consumer},
    {"block_reverse", {.threads = 128}, block_reverse},
    {"double_buffer_one_barrier", {.threads = 96}, double_buffer_one_barrier},
    {"cluster barriers", {.blocks = 2, .cluster = 2}, cluster_barriers},
    {"grid barriers", {.blocks = 4}, grid_barriers},
    {"message_passing_atomic_ref", {.blocks = 2}, message_passing_atomic_ref},
    {"message passing by fences", {.blocks = 2}, message_passing_by_fences},
    {"warp_reduce_syncwarp", {}, warp_reduce_syncwarp},
    {"intrawarp_spinlock", {}, intrawarp_spinlock},
    {"retirement", {.blocks = 3}, retirement},
    {"count_and_restart", {.blocks = 3}, count_and_restart},
    {"pipeline_two_stages", {.threads = 64}, pipeline_two_stages},
};

std::set<ScriptFinding> found_in(ScriptShape shape, std::uint64_t seed, void (*events)(EventScript& script)) {
  shape.seed = seed;
  EventScript script(shape);
  events(script);
  return script.end();
}

/// What the program's first line says.
std::string expected_of(const char* name) {
  std::ifstream file(std::string(WARPFIBER_GIVEN_HAZARDS) + "/haz_" + name + ".cu");
  std::string line;
  std::getline(file, line);
  const std::string before = "// expect: ";
  return line.starts_with(before) ? line.substr(before.size()) : "no such program";
}

constexpr std::uint64_t kSeeds = 20;

}  // namespace

TEST_CASE("scripts of given hazards have their verdict at their lines in any order of threads") {
  for (const GivenScript& hazard : kHazards) {
    CHECK(expected_of(hazard.name) == warpfiber::report::id_of(hazard.verdict));
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      INFO(hazard.name << ", seed " << seed);
      const std::set<ScriptFinding> found = found_in(hazard.shape, seed, hazard.events);
      for (const ScriptFinding& one : found)
        UNSCOPED_INFO(warpfiber::report::id_of(one.verdict) << " at " << one.marks);
      CHECK(found == std::set<ScriptFinding>{{hazard.verdict, hazard.marks}});
    }
  }
}

TEST_CASE("sums that nobody has waited for race with who reads them, whichever came last") {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    INFO("seed " << seed);
    const std::set<ScriptFinding> found = found_in({.blocks = 3}, seed, retirement_without_barrier);
    CHECK(found == std::set<ScriptFinding>{{Verdict::race_global, "AB"}});
  }
}

TEST_CASE("scripts of correct programs have no findings in any order of threads") {
  for (const CorrectScript& correct : kCorrect) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      INFO(correct.name << ", seed " << seed);
      const std::set<ScriptFinding> found = found_in(correct.shape, seed, correct.events);
      for (const ScriptFinding& one : found)
        UNSCOPED_INFO(warpfiber::report::id_of(one.verdict) << " at " << one.marks);
      CHECK(found.empty());
    }
  }
}
