// SPDX-License-Identifier: Apache-2.0
//
// The options of every subcommand but nvcc's, which are in tools/options/nvcc_table.hpp. A parser accepts what its
// table lists and nothing else.
#pragma once

#include "tools/options/option.hpp"

namespace warpfiber::tools::manual {

inline constexpr OptionHelp kTrace{
    .name = "--trace",
    .value = "FILE",
    .meaning = "write a trace of launches, blocks and warps to this file, for Perfetto: .pftrace or .json",
    .completes = Completes::file};

inline constexpr OptionHelp kReport{
    .name = "--report",
    .value = "FILE",
    .meaning = "write a page about the run to this file, as HTML: findings, lanes, source, memory",
    .completes = Completes::file};

inline constexpr OptionHelp kWatch{
    .name = "--watch",
    .value = "EXPR",
    .meaning =
        "show the values of this expression in the report, for each thread and epoch: tile[threadIdx.x]; may be "
        "given several times"};

inline constexpr OptionHelp kCommandOptions[] = {kHelp, kVersion};

inline constexpr OptionHelp kRunOptions[] = {
    kTrace, kReport, kWatch, {.name = "--quiet", .meaning = "do not say at the end what was not checked"},
    kHelp,  kVersion};

inline constexpr OptionHelp kJson{.name = "--json",
                                  .value = "FILE",
                                  .meaning = "write all findings to this file as JSON",
                                  .completes = Completes::file};

inline constexpr OptionHelp kSarif{
    .name = "--sarif",
    .value = "FILE",
    .meaning = "write all findings to this file as SARIF 2.1.0, for code hosts and editors",
    .completes = Completes::file};

inline constexpr OptionHelp kJunit{.name = "--junit",
                                   .value = "FILE",
                                   .meaning = "write all findings to this file as JUnit XML, for CI servers",
                                   .completes = Completes::file};

inline constexpr OptionHelp kFormat{
    .name = "--format",
    .value = "F",
    .meaning = "how findings are printed: text; gcc, as errors of a compiler, for editors; or github, as annotations",
    .completes = Completes::words,
    .words = "text gcc github"};

inline constexpr OptionHelp kColour{.name = "--colour",
                                    .other = "--color",
                                    .value = "WHEN",
                                    .meaning = "colours in reports: auto, always or never",
                                    .completes = Completes::words,
                                    .words = "auto always never"};

inline constexpr OptionHelp kCheckOptions[] = {
    {.name = "--seeds",
     .value = "N|A..B",
     .meaning = "run N schedules, with seeds 1 to N or A to B, until one hangs; they are random, or hold threads back"},
    {.name = "--shard",
     .value = "I/N",
     .meaning = "with --seeds A..B: run the seeds of shard I of N, from 1; by default the one that the environment "
                "names (Slurm, MPI, GTEST_SHARD_INDEX, GitLab). --json keeps what was run, so that the same command "
                "goes on, and for warpfiber merge; %s in names of files is I"},
    {.name = "--keep-going", .meaning = "with --seeds: run all of them, also after one that hangs"},
    {.name = "--seed", .value = "S", .meaning = "the seed of the run, or of the first run of --seeds"},
    {.name = "--policy",
     .value = "P",
     .meaning = "which thread runs next: in-order, random, pct[:DEPTH[:STEPS]], delays, lock-step or replay:FILE; by "
                "default random if there is a seed, delays with each second one of --seeds, else in-order",
     .completes = Completes::words,
     .words = "in-order random pct delays lock-step replay:"},
    {.name = "--convergence",
     .value = "C",
     .meaning =
         "which lanes __activemask() returns: full, random, random-masks or none; by default full, with some seeds "
         "of --seeds random-masks",
     .completes = Completes::words,
     .words = "full random random-masks none"},
    {.name = "--schedule",
     .value = "FILE",
     .meaning = "the file to which the schedule of a failing run is written; by default PROGRAM.schedule",
     .completes = Completes::file},
    {.name = "--most-blocks", .value = "N", .meaning = "run at most N blocks of each launch; results are then partial"},
    {.name = "--most-threads", .value = "N", .meaning = "run at most N threads of each block"},
    {.name = "--timeout", .value = "SECONDS", .meaning = "stop a run that takes longer than this"},
    {.name = "--strict", .meaning = "also report code that is correct here but not portable"},
    {.name = "--leak-check", .meaning = "add a note for memory that is never freed"},
    {.name = "--try-fixes",
     .meaning = "build and run the program again with each fix that adds lines to it, and say whether it helps"},
    {.name = "--stop-at-first", .meaning = "end a launch at its first access that a device refuses"},
    {.name = "--suppressions",
     .value = "FILE",
     .meaning = "a file of findings that are not reported; each line has an id, a kernel and file[:line]",
     .completes = Completes::file},
    kJson,
    kSarif,
    kJunit,
    kFormat,
    kColour,
    kTrace,
    kReport,
    kWatch,
    kHelp,
    kVersion,
};

inline constexpr OptionHelp kDoctorOptions[] = {
    {.name = "--json",
     .value = "FILE",
     .meaning = "write what was found to this file as JSON",
     .completes = Completes::file},
    kHelp,
    kVersion,
};

inline constexpr OptionHelp kMergeOptions[] = {kJson, kSarif, kJunit, kFormat, kColour, kHelp, kVersion};

inline constexpr OptionHelp kGdbOptions[] = {
    {.name = "--commands",
     .value = "FILE",
     .meaning = "a file of gdb's commands that are run first",
     .completes = Completes::file},
    kHelp,
    kVersion,
};

inline constexpr OptionHelp kStepOptions[] = {
    {.name = "--watch", .value = "EXPR", .meaning = "show the value of an expression in each lane; may be repeated"},
    {.name = "--script",
     .value = "FILE",
     .meaning = "read moves from this file, one a line, and print what they show; - for standard input",
     .completes = Completes::file},
    {.name = "--width", .value = "N", .meaning = "columns of what a script shows (80)"},
    kHelp,
    kVersion,
};

inline constexpr OptionHelp kProfileOptions[] = {
    {.name = "--json",
     .value = "FILE",
     .meaning = "write the counters to this file as JSON, with the names of Nsight Compute's metrics",
     .completes = Completes::file},
    {.name = "--csv",
     .value = "FILE",
     .meaning = "write the counters of each line to this file as CSV",
     .completes = Completes::file},
    {.name = "--source", .meaning = "print the source of kernels with how often each line was executed"},
    {.name = "--check", .meaning = "look for races, invalid accesses and the like as well"},
    kTrace,
    kReport,
    kWatch,
    kHelp,
    kVersion,
};

inline constexpr OptionHelp kCrosscheckOptions[] = {
    {.name = "--ulp", .value = "N", .meaning = "floats this far apart count as equal, in units in the last place (4)"},
    {.name = "--as",
     .value = "TYPE",
     .meaning = "the element type of buffers whose type the source does not show: float, double, half, bfloat16 or int",
     .completes = Completes::words,
     .words = "float double half bfloat16 int"},
    {.name = "--any-order",
     .meaning =
         "buffers and printed lines may have the same elements in another order, as atomics and printf produce them"},
    {.name = "--replay",
     .value = "DIR",
     .meaning = "compare with a recording of this folder; needs no GPU and no nvcc",
     .completes = Completes::folder},
    {.name = "--nvcc",
     .value = "PATH",
     .meaning = "NVIDIA's nvcc; by default it is searched for",
     .completes = Completes::file},
    kHelp,
    kVersion,
};

inline constexpr OptionHelp kRecordOptions[] = {
    {.name = "--to",
     .value = "DIR",
     .meaning = "the folder that the recording is written to",
     .completes = Completes::folder},
    {.name = "--keep", .value = "BYTES", .meaning = "store this many bytes of each buffer, and a hash of the rest"},
    {.name = "--build-only",
     .value = "DIR",
     .meaning = "build the program for a GPU in this folder, and do not run it",
     .completes = Completes::folder},
    {.name = "--nvcc",
     .value = "PATH",
     .meaning = "NVIDIA's nvcc; by default it is searched for",
     .completes = Completes::file},
    kHelp,
    kVersion,
};

inline constexpr OptionHelp kFuzzOptions[] = {
    {.name = "--count", .value = "N", .meaning = "how many programs (1000), or kernels with --regions (100)"},
    {.name = "--seed",
     .value = "S",
     .meaning = "the seed of the first program; each further one has the next seed (1)"},
    {.name = "--seeds",
     .value = "A..B",
     .meaning = "the programs, or kernels, with the seeds A to B, in place of --seed and --count; for shards"},
    {.name = "--shard",
     .value = "I/N",
     .meaning = "with --seeds: the seeds of shard I of N, from 1; by default the one that the environment names"},
    {.name = "--json",
     .value = "FILE",
     .meaning = "with --seeds: keep in this file what was run, so that the same command goes on, and for warpfiber "
                "merge; %s in its name is I",
     .completes = Completes::file},
    {.name = "--against",
     .value = "WHAT",
     .meaning = "recordings of a GPU, a GPU of this machine, or the sequential model; by default recordings if they "
                "have the seed, else model",
     .completes = Completes::words,
     .words = "recordings gpu model"},
    {.name = "--recordings",
     .value = "FILE",
     .meaning = "the recordings to compare with, in place of the installed ones of an H200",
     .completes = Completes::file},
    {.name = "--record",
     .value = "FILE",
     .meaning = "run the programs on a GPU and write their results to this file",
     .completes = Completes::file},
    {.name = "--print", .value = "SEED", .meaning = "print the program of this seed as a CUDA file"},
    {.name = "--regions",
     .meaning = "compare kernels with barriers as fibers and as regions (-fregions of nvcc); needs clang++"},
    {.name = "--in-a-file", .value = "N", .meaning = "with --regions: how many kernels are one program (40)"},
    {.name = "--mistakes", .meaning = "with --regions: kernels whose threads may wait for each other for ever"},
    {.name = "--matrices", .meaning = "with --regions: kernels whose warps have operations on matrices"},
    {.name = "--keep",
     .value = "FOLDER",
     .meaning = "with --regions: the folder for the files in which something differs",
     .completes = Completes::folder},
    kHelp,
    kVersion,
};

inline constexpr OptionHelp kOccupancyOptions[] = {
    {.name = "--block", .value = "THREADS", .meaning = "threads of a block; required"},
    {.name = "--device",
     .value = "NAME",
     .meaning = "name of a device model, or path of a device file",
     .completes = Completes::device},
    {.name = "--registers", .value = "N", .meaning = "registers of a thread (32)"},
    {.name = "--shared", .value = "BYTES", .meaning = "static shared memory of a block (0)"},
    {.name = "--dynamic-shared", .value = "BYTES", .meaning = "dynamic shared memory of a block (0)"},
    kHelp,
    kVersion,
};

}  // namespace warpfiber::tools::manual
