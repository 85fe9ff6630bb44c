// SPDX-License-Identifier: Apache-2.0
//
// What g++ and the library call of the C library and glibc 2.28 does not have, for files that are linked to run on it
// (old_system). Nothing here is seen from outside the file that it is linked into.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

#define WARPFIBER_HIDDEN extern "C" __attribute__((visibility("hidden")))

namespace {

using ClockWait = int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);

constexpr long kSecond = 1'000'000'000;

/// What is left until a time of one clock, as a time of another.
timespec at_other_clock(const timespec& time, clockid_t clock, clockid_t other) {
  timespec now;
  timespec now_there;
  ::clock_gettime(clock, &now);
  ::clock_gettime(other, &now_there);
  long nanoseconds = now_there.tv_nsec + time.tv_nsec - now.tv_nsec;
  time_t seconds = now_there.tv_sec + time.tv_sec - now.tv_sec;
  for (; nanoseconds < 0; --seconds) nanoseconds += kSecond;
  for (; nanoseconds >= kSecond; ++seconds) nanoseconds -= kSecond;
  return {seconds, nanoseconds};
}

}  // namespace

/// glibc 2.32. The C++ library asks whether counts of references may be changed without atomics: never.
WARPFIBER_HIDDEN char __libc_single_threaded;
char __libc_single_threaded = 0;

/// glibc 2.30. Where it is missing the time is one of the clock that condition variables know, as in older C++
/// libraries.
WARPFIBER_HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                            const timespec* time) {
  static ClockWait* const system = reinterpret_cast<ClockWait*>(::dlsym(RTLD_DEFAULT, "pthread_cond_clockwait"));
  if (system != nullptr) return system(condition, mutex, clock, time);
  const timespec there = at_other_clock(*time, clock, CLOCK_REALTIME);
  return ::pthread_cond_timedwait(condition, mutex, &there);
}

// glibc 2.33. Before, they were functions that each program brought along.
extern "C" int __xstat(int version, const char* path, struct stat* result);
extern "C" int __lxstat(int version, const char* path, struct stat* result);
extern "C" int __fxstat(int version, int file, struct stat* result);
extern "C" int __fxstatat(int version, int folder, const char* path, struct stat* result, int flags);

constexpr int kStatVersion = 1;  // of x86-64

WARPFIBER_HIDDEN int stat(const char* path, struct stat* result) {
  return __xstat(kStatVersion, path, result);
}
WARPFIBER_HIDDEN int lstat(const char* path, struct stat* result) {
  return __lxstat(kStatVersion, path, result);
}
WARPFIBER_HIDDEN int fstat(int file, struct stat* result) {
  return __fxstat(kStatVersion, file, result);
}
WARPFIBER_HIDDEN int fstatat(int folder, const char* path, struct stat* result, int flags) {
  return __fxstatat(kStatVersion, folder, path, result, flags);
}

#ifdef WARPFIBER_PROGRAM
// glibc 2.34. Since then the C library itself calls the initialisers of a program that hands it no function which does,
// and the start code that newer systems link hands none.
extern "C" {
using Initialiser = void(int, char**, char**);
using Main = int(int, char**, char**);
extern Initialiser* const __init_array_start[] __attribute__((visibility("hidden")));
extern Initialiser* const __init_array_end[] __attribute__((visibility("hidden")));
extern void _init() __attribute__((visibility("hidden")));
int __real___libc_start_main(Main*, int, char**, Initialiser*, void (*)(), void (*)(), void*);
}

namespace {

void initialise(int count, char** arguments, char** environment) {
  _init();
  for (auto* function = __init_array_start; function != __init_array_end; ++function)
    (*function)(count, arguments, environment);
}

}  // namespace

WARPFIBER_HIDDEN int __wrap___libc_start_main(Main* main, int count, char** arguments, Initialiser* /*none*/,
                                              void (*finish)(), void (*loader_finish)(), void* stack) {
  return __real___libc_start_main(main, count, arguments, initialise, finish, loader_finish, stack);
}
#endif
