// SPDX-License-Identifier: Apache-2.0
//
// A finding: one defect of a kernel, as data. Text, JSON and every other format are made from it by the room report, so
// a detector fills in facts, never a sentence or a layout: `why`, `fix`, `sanitizer_term` and what a party's note says
// are left to report::explain().
// Invariants: strings own their text: a finding outlives the launch and its memory. What is not known stays empty;
// nothing is guessed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <warpfiber/detail/site.hpp>

#include "base/index.hpp"
#include "record/members.hpp"
#include "record/party_note.hpp"
#include "record/verdict.hpp"

namespace warpfiber::record {

struct Diagnosis;  // record/diagnosis.hpp

/// The number of a stack of calls (record/stack_depot.hpp).
enum class StackId : std::uint32_t;

/// Only errors make a check fail.
enum class Severity { error, warning, info };

/// A line of source; line 0: not known.
struct Place {
  std::string file{};
  unsigned line = 0;
  unsigned column = 0;  // from 1; 0: not known
  std::string function{};
  const void* instruction = nullptr;  // where line and function are still to be looked up; of a call: its last byte

  bool known() const { return line != 0; }
  /// Places on one line are one: only some compilers say more.
  friend bool operator==(const Place& one, const Place& other) {
    return one.file == other.file && one.line == other.line && one.function == other.function &&
           one.instruction == other.instruction;
  }
};

inline Place place_of(const Site& site) {
  return {.file = site.file ? site.file : "", .line = site.line};
}

/// The launch a finding belongs to. Shared memory in bytes.
struct LaunchFacts {
  std::string kernel{};
  base::Triple grid{1, 1, 1};
  base::Triple block{1, 1, 1};
  base::Triple cluster{1, 1, 1};
  std::uint64_t static_shared = 0;
  std::uint64_t dynamic_shared = 0;
  bool cooperative = false;
  unsigned warp_size = 32;
  std::string device{};  // the modelled device: "H200"
};

/// Part of an object, in bytes: `size` of them from `offset`, of `extent` in all; extent 0: not known. An offset in
/// front of the object is a negative number, as the same bits.
struct Bytes {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t extent = 0;
};

/// Who stored to an object last, and where.
struct Write {
  Members who{};
  Place place{};
};

/// A piece of memory: a variable, an element of an array, or only an address.
struct ObjectFacts {
  std::string name{};   // "arrived", "s[65]"
  std::string type{};   // "unsigned"
  std::string space{};  // "global", "shared", "no allocation"
  std::uint64_t address = 0;
  std::string value{};  // as the program would print it
  std::optional<Bytes> bytes{};
  Place declared{};  // or allocated
  bool is_allocated = false;
  Place freed{};
  std::optional<Write> last_write{};
};

/// What the members of a party do, or why they do nothing.
enum class Role {
  wait,         // at a rendezvous
  spin,         // read the same memory again and again
  not_started,  // blocks that are not resident
  exited,       // have left the kernel
  call,         // call what they may not
  read,
  write,
  access,  // read or write, the processor does not say which
  throws,
  asserts,  // reach an assertion that fails
  traps,
  overflow,  // run out of stack
  make,      // a group, which others of the finding use
  convert,   // a number to a type that cannot hold it
  run,       // could go on when the launch was stopped
};

/// Blocks or threads that share a fate at one place.
struct Party {
  Role role = Role::wait;
  Members who{};
  Place place{};
  std::string what{};    // the operation, where the source cannot be read: "__syncthreads()"
  std::string detail{};  // for whom they wait, what keeps them out: "for thread 0 of their block"
  bool strong = false;   // an atomic or volatile access
  std::optional<ObjectFacts> object{};
  std::vector<ObjectFacts> further{};  // memory that they read as well, again and again
  std::string kernel{};        // where the members are of another launch than the finding's, or where several are meant
  Place launched{};            // that launch
  std::vector<Place> stack{};  // the calls that led to `place`, innermost first
  std::vector<std::vector<Place>> other_stacks{};  // that brought further members there
  StackId returns{};                               // calls that are to be looked up, and come before those of `stack`
  std::vector<StackId> other_returns{};            // the same of `other_stacks`
  PartyNote note{};                                // what `detail` is to say
};

/// One step of a wait cycle: the party (an index into Finding::parties) waits for the party of the next step; the last
/// waits for the first.
struct CycleStep {
  std::size_t party = 0;
  std::string over{};  // what is waited for, where it has a name: "lock b"
};

/// The threads that a barrier orders.
enum class Width { warp, block, cluster, grid };

/// A barrier that threads of the launch have passed.
struct PassedBarrier {
  Width width = Width::block;
  Place place{};
};

/// A word through which the thread of a race's first access hands over to that of the second: a flag, or a lock.
struct HandOver {
  std::string name{};  // of the word, where it has one
  Place set{};         // where the first thread writes the word
  Place seen{};        // where the second thread reads it
  bool is_lock = false;
  bool fenced_before_set = false;
  bool fenced_after_seen = false;
  bool narrow_before_set = false;  // a fence is there, and orders only the block
  bool narrow_after_seen = false;
  std::optional<Width> set_by_other{};  // not by the thread of the first access: what a barrier of both orders
  bool is_guess = false;                // another block's write of the word is meant, or another thread's of the block
};

/// A line that is added to the source, behind `line`.
struct Insertion {
  std::string file{};
  unsigned line = 0;
  std::string text{};
  friend bool operator==(const Insertion&, const Insertion&) = default;
};

/// How the two accesses of a race could be ordered. Sentences are made of it once lines are known (report/fixes).
struct MissingOrder {
  Width width = Width::block;  // that every folded pair needs
  bool both_write = false;     // in some folded pair
  bool one_atomic = false;     // of the two accesses
  bool lost_update = false;    // both threads read the word and then write it, by volatile accesses
  std::vector<PassedBarrier> barriers{};
  std::optional<HandOver> hand_over{};
  std::optional<std::uint64_t> pointers_apart{};  // bytes between two arguments of the kernel that reach the object
  bool fix_is_exact = false;  // the fix names its place, so that two races with the same fix are one defect
};

/// Two streams, as LaunchOrder numbers them, the smaller number first.
struct StreamPair {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  static StreamPair of(std::uint64_t one, std::uint64_t other) {
    return one < other ? StreamPair{one, other} : StreamPair{other, one};
  }
  friend bool operator==(const StreamPair&, const StreamPair&) = default;
};

/// An access outside of an object, or of every object: extent 0 and no type.
struct OutsideAccess {
  std::string name{};        // of the object
  std::string type{};        // of the object: "float [4][9]"
  std::int64_t offset = 0;   // of the first access, from the beginning of the object
  std::int64_t highest = 0;  // offset of the highest access that is folded in
  std::uint64_t extent = 0;
  unsigned size = 0;            // of the access
  std::uint64_t element = 0;    // bytes of an element, as the program declares what leads to the object; 0: by the type
  bool dynamic_shared = false;  // memory, as much as the launch has given
  bool global = false;          // memory
};

/// Memory that the launch knows by a name, and what an access outside of every object is if its index is for this.
struct IndexedObject {
  std::string name{};  // as the source calls it: "p", "list.head"
  Verdict verdict{};
  ObjectFacts object{};
  OutsideAccess access{};
};

/// Other launches that a launch which cannot go on waits with, as texts that name them.
struct OtherLaunches {
  std::vector<std::string> kept_out{};   // for a free SM
  std::vector<std::string> blocked{};    // on the same device
  std::vector<std::string> elsewhere{};  // on other devices
};

/// Who could have changed the memory that threads read, and has not for so many seconds.
struct OutsideHelp {
  bool by_process = false;  // another one, through a shared mapping; else a thread of the host
  std::uint64_t seconds = 0;
};

/// What is wrong, or nothing: then `why` and `fix` of the finding are as they are. The type of the facts is not known
/// here (record/diagnosis.hpp): most files that handle findings never look at them, and a compiler takes longer for the
/// variant than for all the rest of this header.
class HeldDiagnosis {
 public:
  HeldDiagnosis() = default;
  HeldDiagnosis(Diagnosis facts);
  HeldDiagnosis(const HeldDiagnosis& other);
  HeldDiagnosis(HeldDiagnosis&& other) noexcept : facts_(std::exchange(other.facts_, nullptr)) {}
  HeldDiagnosis& operator=(HeldDiagnosis other) noexcept {
    std::swap(facts_, other.facts_);
    return *this;
  }
  HeldDiagnosis& operator=(Diagnosis facts);
  ~HeldDiagnosis();

  /// Null: there are none.
  const Diagnosis* get() const { return facts_; }
  Diagnosis* get() { return facts_; }

 private:
  Diagnosis* facts_ = nullptr;
};

struct Finding {
  Verdict verdict{};
  Severity severity = Severity::error;
  LaunchFacts launch{};
  std::optional<ObjectFacts> object{};  // what the finding is about, where that is memory
  std::vector<Party> parties{};
  std::vector<CycleStep> cycle{};
  HeldDiagnosis diagnosis{};          // what is wrong
  bool may_be_any_of_row = false;     // the thread is one of those with its threadIdx.y and threadIdx.z
  bool may_be_any_of_block = false;   // the thread is one of its block, and fibers that ran that once more found none
  std::optional<OutsideHelp> help{};  // that has not come
  std::optional<OtherLaunches> other_launches{};
  bool error_is_unseen = false;                      // the program has checked for no error
  std::string why{};                                 // one or two sentences
  std::string fix{};                                 // the smallest change that mends it
  std::vector<std::vector<Insertion>> insertions{};  // each a way to mend it; the first is all that `fix` says
  std::optional<MissingOrder> order{};               // of a race: what the fix is to be made of
  std::string again{};                               // a command that repeats the run
  std::string sanitizer_term{};                      // what compute-sanitizer calls it, if it has a name for it
  std::uint64_t repeats = 0;                         // further findings of the same defect, folded into this one
  // Of an index outside its array, which may be only for an address: where accesses follow that show that it is not.
  std::optional<std::vector<Place>> needs_access_at{};
  std::vector<IndexedObject> indexed{};  // of an access outside of every object: which of them is known later
  std::uint64_t left_out = 0;            // accesses that were, before the launch ended at this one
  bool after_bad_index = false;          // a side may be the access with such an index
  std::optional<StreamPair> streams{};   // of a race of two operations: theirs
  std::uint64_t left_unwritten = 0;      // of a call that failed: where the object begins that it should have written
};

}  // namespace warpfiber::record
