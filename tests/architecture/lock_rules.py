# SPDX-License-Identifier: Apache-2.0
#
# The rules of rules.py about locks: each mutex is one that clang++ knows (src/foundation/base/locks/annotated_mutex.hpp), and says what it
# guards. That what is guarded is accessed under the lock is checked by clang++ (lock_checks_test.py).
import re

LOCKS = "src/foundation/base/locks/annotated_mutex.hpp"
UNKNOWN_LOCK = re.compile(
    r"\bstd::((?:recursive_|timed_|recursive_timed_|shared_|shared_timed_)?mutex|condition_variable(?:_any)?|lock_guard"
    r"|unique_lock|scoped_lock|shared_lock)\b|\bpthread_(?:mutex|rwlock|spinlock|cond)_t\b")
# A member or a variable, or an array of them.
MUTEX = re.compile(r"\b(?:std::array<\s*)?(?:base::)?Mutex(?:, \w+>)?\s+(\w+);")
NAMES_MUTEX = r"\bWARPFIBER_(?:GUARDED_BY|PT_GUARDED_BY|REQUIRES|RETURNS_MUTEX)\([^()]*\b{}\b"
# Of a mutex that guards no member of its file: what it guards.
SAYS_WHAT = re.compile(r"//.*\bguards\b", re.IGNORECASE)


def mutexes_are_annotated(tree):
    for path in _sources(tree):
        for number, line in enumerate(tree.read(path).split("\n"), 1):
            found = UNKNOWN_LOCK.search(line.split("//")[0])
            if found:
                yield f"{path}:{number}: {found[0]}, of which clang++ knows nothing: {LOCKS} has one that it checks"


def mutexes_say_what_they_guard(tree):
    """By an attribute of what is guarded, or of a function, which names the mutex; or by a comment at the mutex."""
    for path in _sources(tree):
        lines = tree.read(path).split("\n")
        code = "\n".join(line.split("//")[0] for line in lines)
        for number, line in enumerate(lines, 1):
            found = MUTEX.search(line.split("//")[0])
            above = lines[number - 2] if number > 1 else ""
            if found and not re.search(NAMES_MUTEX.format(found[1]), code) and not any(map(SAYS_WHAT.search, (above, line))):
                yield f"{path}:{number}: nothing says what {found[1]} guards"


def _sources(tree):
    return [path for path in tree.cpp_files() if path.startswith("src/") and path != LOCKS]


LOCK_RULES = [mutexes_are_annotated, mutexes_say_what_they_guard]
