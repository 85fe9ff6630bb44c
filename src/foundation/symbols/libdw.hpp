// SPDX-License-Identifier: Apache-2.0
//
// The functions of libdw that this room calls. The library is loaded when the first address is asked for, so that a
// program links without it, starts without it, and runs where it is not installed. Within warpfiber::symbols the name
// of a function of libdw is a pointer to it; elfutils/libdw.h and elfutils/libdwfl.h document the functions.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#define WARPFIBER_LIBDW_FUNCTIONS(X) \
  X(dwarf_aggregate_size)            \
  X(dwarf_attr)                      \
  X(dwarf_attr_integrate)            \
  X(dwarf_cfi_addrframe)             \
  X(dwarf_child)                     \
  X(dwarf_decl_file)                 \
  X(dwarf_decl_line)                 \
  X(dwarf_diecu)                     \
  X(dwarf_diename)                   \
  X(dwarf_filesrc)                   \
  X(dwarf_formaddr)                  \
  X(dwarf_formflag)                  \
  X(dwarf_formref_die)               \
  X(dwarf_formstring)                \
  X(dwarf_formudata)                 \
  X(dwarf_frame_cfa)                 \
  X(dwarf_getlocation)               \
  X(dwarf_getlocation_addr)          \
  X(dwarf_getlocation_attr)          \
  X(dwarf_getscopes_die)             \
  X(dwarf_getsrc_die)                \
  X(dwarf_getsrcfiles)               \
  X(dwarf_getsrclines)               \
  X(dwarf_haspc)                     \
  X(dwarf_linecol)                   \
  X(dwarf_lineendsequence)           \
  X(dwarf_lineno)                    \
  X(dwarf_linesrc)                   \
  X(dwarf_new_oom_handler)           \
  X(dwarf_onesrcline)                \
  X(dwarf_siblingof)                 \
  X(dwarf_tag)                       \
  X(dwfl_addrmodule)                 \
  X(dwfl_begin)                      \
  X(dwfl_build_id_find_debuginfo)    \
  X(dwfl_end)                        \
  X(dwfl_linux_proc_find_elf)        \
  X(dwfl_linux_proc_report)          \
  X(dwfl_module_addrdie)             \
  X(dwfl_module_addrname)            \
  X(dwfl_module_eh_cfi)              \
  X(dwfl_module_getdwarf)            \
  X(dwfl_module_info)                \
  X(dwfl_module_nextcu)              \
  X(dwfl_report_begin)               \
  X(dwfl_report_elf)                 \
  X(dwfl_report_end)                 \
  X(dwfl_standard_find_debuginfo)

namespace warpfiber::symbols {

#define WARPFIBER_DECLARE(function) extern constinit decltype(&::function) function;
WARPFIBER_LIBDW_FUNCTIONS(WARPFIBER_DECLARE)
#undef WARPFIBER_DECLARE

/// Loads libdw unless it is loaded, and says whether it is. Before any of the functions above is called. Never under a
/// mutex: whoever loads a module holds the dynamic linker's.
bool load_libdw();

}  // namespace warpfiber::symbols
