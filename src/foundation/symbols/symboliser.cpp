// SPDX-License-Identifier: Apache-2.0
//
// Symbols through libdwfl. The modules are those in this process's memory map.
#include "symbols/symboliser.hpp"

#include <dwarf.h>
#include <link.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/environment.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "base/system/address_space.hpp"
#include "base/system/modules.hpp"
#include "base/text.hpp"
#include "symbols/entries.hpp"
#include "symbols/libdw.hpp"
#include "symbols/local_reader.hpp"
#include "symbols/type_reader.hpp"
#include "symbols/user_code.hpp"
#include "symbols/variables.hpp"

namespace warpfiber::symbols {
namespace {

/// libdw has no memory left. Its own answer is to call exit() on the spot, and handlers of the end wait for whatever
/// this thread holds. An exception passes its frames, which have unwind tables as all code on x86-64 has.
struct OutOfMemory {};

// To clang++ only this spelling is part of the function's type, which libdw wants.
__attribute__((noreturn)) void throw_out_of_memory() {
  throw OutOfMemory{};
}

/// Before debug information of the module is read.
void catch_out_of_memory(Dwfl_Module* module) {
  Dwarf_Addr bias = 0;
  if (Dwarf* debug = dwfl_module_getdwarf(module, &bias)) dwarf_new_oom_handler(debug, throw_out_of_memory);
}

/// Whether the file of debug information that a module names is in its folder, or where debug packages have theirs.
bool is_on_this_machine(const char* module_file, const char* debug_file) {
  if (module_file == nullptr || debug_file == nullptr) return false;
  const std::filesystem::path folder = std::filesystem::path(module_file).parent_path();
  std::error_code unknown;
  return std::filesystem::exists(folder / debug_file, unknown) ||
         std::filesystem::exists(folder / ".debug" / debug_file, unknown) ||
         std::filesystem::exists("/usr/lib/debug" / folder.relative_path() / debug_file, unknown);
}

/// A module's separate debug information, if it is on this machine. The function of libdwfl alone would start an HTTP
/// client for each process, and ask the servers of DEBUGINFOD_URLS while a kernel waits.
int find_debug_information(Dwfl_Module* module, void** user, const char* name, Dwarf_Addr base, const char* module_file,
                           const char* debug_file, GElf_Word checksum, char** found) {
  const int file = dwfl_build_id_find_debuginfo(module, user, name, base, module_file, debug_file, checksum, found);
  if (file >= 0 || !is_on_this_machine(module_file, debug_file)) return file;
  return dwfl_standard_find_debuginfo(module, user, name, base, module_file, debug_file, checksum, found);
}

/// What libdw maps and allocates for the program and for the libraries that every program has. Where an allocation of
/// libdw's fails, some of its functions end the process by a failed assertion.
bool has_room_for_debug_information() {
  static const std::size_t wanted = [] {
    constexpr std::size_t kLibraries = std::size_t{16} << 20;
    std::error_code unknown;
    const std::uintmax_t program = std::filesystem::file_size(base::own_program(), unknown);
    return kLibraries + (unknown ? 0 : 2 * static_cast<std::size_t>(program));
  }();
  return base::has_headroom(wanted);
}

std::string text_of(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

std::string demangled(const char* name) {
  return name == nullptr ? std::string() : base::demangled(name).value_or(name);
}

/// The name of a function; `symbol` is that of the code, or null for an inlined function. Debug information of gcc has
/// no full name for lambdas.
std::string function_name(Dwarf_Die& function, const char* symbol) {
  Dwarf_Attribute attribute;
  if (const char* linkage = dwarf_formstring(dwarf_attr_integrate(&function, DW_AT_linkage_name, &attribute)))
    return demangled(linkage);
  return demangled(symbol ? symbol : dwarf_diename(&function));
}

/// The line of the call that was inlined as `function`.
record::Place call_place(Dwarf_Die& unit, Dwarf_Die& function) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0;
  Dwarf_Word line = 0;
  Dwarf_Files* files = nullptr;
  if (dwarf_formudata(dwarf_attr(&function, DW_AT_call_file, &attribute), &file) != 0) return {};
  if (dwarf_formudata(dwarf_attr(&function, DW_AT_call_line, &attribute), &line) != 0) return {};
  if (dwarf_getsrcfiles(&unit, &files, nullptr) != 0) return {};
  return {.file = text_of(dwarf_filesrc(files, file, nullptr, nullptr)), .line = static_cast<unsigned>(line)};
}

unsigned call_column(Dwarf_Die& function) {
  Dwarf_Attribute attribute;
  Dwarf_Word column = 0;
  dwarf_formudata(dwarf_attr(&function, DW_AT_call_column, &attribute), &column);
  return static_cast<unsigned>(column);
}

unsigned line_column(Dwarf_Die& unit, Dwarf_Addr address) {
  Dwarf_Line* entry = dwarf_getsrc_die(&unit, address);
  int column = 0;
  if (entry == nullptr || dwarf_linecol(entry, &column) != 0) return 0;
  return static_cast<unsigned>(column);
}

/// The last line before `entry` of the same file. Line 0 says that code belongs to no line, as clang says of jumps that
/// it has made from a loop: a thread found there is in what stands before.
unsigned line_before(Dwarf_Die& unit, Dwarf_Line* entry) {
  Dwarf_Lines* lines = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrclines(&unit, &lines, &count) != 0) return 0;
  const std::string file = text_of(dwarf_linesrc(entry, nullptr, nullptr));
  unsigned before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Line* other = dwarf_onesrcline(lines, i);
    if (other == entry) return before;
    bool ends = false;
    int line = 0;
    dwarf_lineendsequence(other, &ends);
    if (ends || text_of(dwarf_linesrc(other, nullptr, nullptr)) != file) {
      before = 0;
    } else if (dwarf_lineno(other, &line) == 0 && line > 0) {
      before = static_cast<unsigned>(line);
    }
  }
  return 0;
}

record::Place line_place(Dwarf_Die& unit, Dwarf_Addr address) {
  Dwarf_Line* entry = dwarf_getsrc_die(&unit, address);
  int line = 0;
  if (entry == nullptr || dwarf_lineno(entry, &line) != 0) return {};
  const unsigned known = line > 0 ? static_cast<unsigned>(line) : line_before(unit, entry);
  if (known == 0) return {};
  return {.file = text_of(dwarf_linesrc(entry, nullptr, nullptr)), .line = known};
}

/// A variable as others see it; `folder` is what its compiler was started in.
std::optional<DebugVariable> debug_variable(Variables& variables, Dwfl_Module* module, Dwarf_Addr address) {
  const FoundVariable* found = variables.around(module, address);
  if (found == nullptr) return std::nullopt;
  Dwarf_Die die = found->die;
  Dwarf_Die unit;
  Dwarf_Attribute attribute;
  int line = 0;
  DebugVariable made{
      .base = reinterpret_cast<const char*>(found->base), .bytes = found->bytes, .in_function = found->in_function};
  made.name = text_of(dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_name, &attribute)));
  if (dwarf_diecu(&die, &unit, nullptr, nullptr) != nullptr)
    made.folder = text_of(dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute)));
  if (dwarf_decl_line(&die, &line) == 0)
    made.place = {.file = text_of(dwarf_decl_file(&die)), .line = static_cast<unsigned>(line)};
  return made;
}

/// The frames that debug information knows; none without it.
std::vector<Frame> debug_frames(Dwfl_Module* module, Dwarf_Addr address) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = unit_at(module, address, bias);
  if (unit == nullptr) return {};
  std::vector<Dwarf_Die> functions;
  collect_functions(*unit, address - bias, functions);
  std::vector<Frame> frames;
  record::Place place = line_place(*unit, address - bias);
  unsigned column = line_column(*unit, address - bias);
  for (Dwarf_Die& function : functions) {
    const bool inlined = dwarf_tag(&function) == DW_TAG_inlined_subroutine;
    const char* symbol = inlined ? nullptr : dwfl_module_addrname(module, address);
    frames.push_back(
        {.function = function_name(function, symbol), .place = place, .column = column, .inlined = inlined});
    frames.back().place.function = frames.back().function;
    if (!inlined) continue;
    place = call_place(*unit, function);
    column = call_column(function);
  }
  // With -g1, clang describes only functions that others were inlined into.
  if (frames.empty() && place.known()) {
    place.function = demangled(dwfl_module_addrname(module, address));
    frames.push_back({.function = place.function, .place = place, .column = column});
  }
  Dwarf_Attribute folder;
  for (Frame& frame : frames) frame.folder = text_of(dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &folder)));
  return frames;
}

std::vector<FunctionParameter> read_parameters(TypeReader& types, Dwarf_Die& function) {
  std::vector<FunctionParameter> parameters;
  Dwarf_Attribute attribute;
  Dwarf_Die child;
  for (int end = dwarf_child(&function, &child); end == 0; end = dwarf_siblingof(&child, &child)) {
    if (dwarf_tag(&child) != DW_TAG_formal_parameter) continue;
    parameters.push_back(
        {text_of(dwarf_formstring(dwarf_attr_integrate(&child, DW_AT_name, &attribute))), types.type_of(child)});
  }
  return parameters;
}

}  // namespace

/// Loads libdw first, so that it is counted.
base::ModuleCounts module_counts() {
  load_libdw();
  return base::module_counts();
}

/// An address in the same module that its file fills: to libdw what begins as zeros is in none, if it is in pages of
/// its own.
std::uintptr_t filled_part(std::uintptr_t address) {
  const auto part = base::module_part_at(reinterpret_cast<const void*>(address));
  const bool is_zeros = part.has_value() && address >= part->end_of_file && part->begin < part->end_of_file;
  return is_zeros ? part->begin : address;
}

/// The modules of this process and the answers given so far.
class Symboliser::Modules {
 public:
  Frames frames(std::uintptr_t address) {
    const base::ModuleCounts now = module_counts();
    const base::Lock lock(mutex_);
    follow(now);
    if (const auto known = answers_.find(address); known != answers_.end()) return known->second;
    return ask(address, [&](Dwfl_Module* module) WARPFIBER_REQUIRES(mutex_) {
      catch_out_of_memory(module);
      const Frames answer(std::make_shared<const std::vector<Frame>>(frames_in(module, address)));
      return answers_[address] = answer;
    });
  }

  std::optional<DebugVariable> variable(std::uintptr_t address) {
    const base::ModuleCounts now = module_counts();
    const std::uintptr_t filled = filled_part(address);
    const base::Lock lock(mutex_);
    follow(now);
    return ask(filled, [&](Dwfl_Module* module) WARPFIBER_REQUIRES(mutex_) {
      catch_out_of_memory(module);
      auto found = debug_variable(variables_, module, address);
      if (!found.has_value()) return found;
      found->users = user_code_.has(found->place.file, found->folder);
      found->place.file = file_from_here(found->place.file, found->folder);
      return found;
    });
  }

  const record::TypeLayout* type_of_variable(const void* start) {
    const base::ModuleCounts now = module_counts();
    const auto address = reinterpret_cast<std::uintptr_t>(start);
    const std::uintptr_t filled = filled_part(address);
    const base::Lock lock(mutex_);
    follow(now);
    return ask(filled, [&](Dwfl_Module* module) WARPFIBER_REQUIRES(mutex_) -> const record::TypeLayout* {
      catch_out_of_memory(module);
      const FoundVariable* found = variables_.around(module, address);
      if (found == nullptr || found->base != address) return nullptr;
      Dwarf_Die die = found->die;
      return types_.type_of(die);
    });
  }

  std::vector<FunctionParameter> parameters_of(const void* function) {
    const base::ModuleCounts now = module_counts();
    const base::Lock lock(mutex_);
    follow(now);
    const auto address = reinterpret_cast<std::uintptr_t>(function);
    return ask(address, [&](Dwfl_Module* module) WARPFIBER_REQUIRES(mutex_) {
      catch_out_of_memory(module);
      std::vector<Dwarf_Die> functions = functions_at(module, address);
      if (functions.empty()) return std::vector<FunctionParameter>{};
      Dwarf_Die die = declared(functions.back());
      return read_parameters(types_, die);
    });
  }

  std::vector<LocalVariable> local_variables(std::uintptr_t address, LocalScope scope, std::string_view alias_ending) {
    const base::ModuleCounts now = module_counts();
    const base::Lock lock(mutex_);
    follow(now);
    return ask(address, [&](Dwfl_Module* module) WARPFIBER_REQUIRES(mutex_) {
      catch_out_of_memory(module);
      return LocalReader(types_, alias_ending).read(module, address, scope);
    });
  }

  const record::TypeLayout* pointee(const record::TypeLayout& pointer) {
    const base::ModuleCounts now = module_counts();
    const base::Lock lock(mutex_);
    follow(now);
    try {
      return types_.pointee(pointer);
    } catch (const OutOfMemory&) {
      abandon();
      return nullptr;
    }
  }

  std::string symbol(std::uintptr_t address) {
    const base::ModuleCounts now = module_counts();
    const base::Lock lock(mutex_);
    follow(now);
    return ask(address, [&](Dwfl_Module* module) { return text_of(dwfl_module_addrname(module, address)); });
  }

 private:
  /// The answer of the module that holds the address; an empty one where none does, or memory is short.
  template <class Look>
  std::invoke_result_t<Look, Dwfl_Module*> ask(std::uintptr_t address, Look look) WARPFIBER_REQUIRES(mutex_) {
    if (modules_are_read_ && module_of(address) == nullptr) return {};
    if (!has_room_for_debug_information()) return {};
    try {
      Dwfl_Module* module = module_at(address);
      if (module == nullptr) return {};
      return look(module);
    } catch (const OutOfMemory&) {
      abandon();
      return {};
    }
  }

  /// The state of the session is not known now: it is neither used again nor ended.
  void abandon() WARPFIBER_REQUIRES(mutex_) {
    static_cast<void>(session_.release());
    modules_are_read_ = false;
    forget();
  }

  void forget() WARPFIBER_REQUIRES(mutex_) {
    answers_.clear();
    variables_.forget();
    types_.forget();
  }

  struct End {
    void operator()(Dwfl* session) const { dwfl_end(session); }
  };

  /// Addresses of what was unloaded may be others' now.
  void follow(const base::ModuleCounts& now) WARPFIBER_REQUIRES(mutex_) {
    if (now == counts_) return;
    counts_ = now;
    forget();
    modules_are_read_ = false;
  }

  Dwfl_Module* module_at(Dwarf_Addr address) WARPFIBER_REQUIRES(mutex_) {
    if (!session_ && load_libdw()) session_.reset(begin());
    if (!session_) return nullptr;
    if (!modules_are_read_) read_modules();
    return module_of(address);
  }

  Dwfl* begin() WARPFIBER_REQUIRES(mutex_) {
    callbacks_.find_elf = dwfl_linux_proc_find_elf;
    return dwfl_begin(&callbacks_);
  }

  Dwfl_Module* module_of(Dwarf_Addr address) WARPFIBER_REQUIRES(mutex_) {
    Dwfl_Module* module = dwfl_addrmodule(session_.get(), address);
    // The last module is taken to reach to the end of the address space.
    Dwarf_Addr end = 0;
    if (module) dwfl_module_info(module, nullptr, nullptr, &end, nullptr, nullptr, nullptr, nullptr);
    return address < end ? module : nullptr;
  }

  void read_modules() WARPFIBER_REQUIRES(mutex_) {
    dwfl_report_begin(session_.get());
    if (dwfl_linux_proc_report(session_.get(), ::getpid()) != 0) report_loaded();
    modules_are_read_ = dwfl_report_end(session_.get(), nullptr, nullptr) == 0;
  }

  /// Where /proc is not mounted: what the dynamic linker has loaded.
  void report_loaded() WARPFIBER_REQUIRES(mutex_) {
    const auto add = [](dl_phdr_info* info, std::size_t, void* session) {
      const std::string own = *info->dlpi_name == 0 ? base::own_program() : info->dlpi_name;
      dwfl_report_elf(static_cast<Dwfl*>(session), own.c_str(), own.c_str(), -1, info->dlpi_addr, false);
      return 0;
    };
    dl_iterate_phdr(add, session_.get());
  }

  std::vector<Frame> frames_in(Dwfl_Module* module, Dwarf_Addr address) WARPFIBER_REQUIRES(mutex_) {
    std::vector<Frame> frames = debug_frames(module, address);
    if (frames.empty()) frames.push_back({.function = demangled(dwfl_module_addrname(module, address))});
    const char* file = nullptr;
    dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, &file, nullptr);
    for (Frame& frame : frames) {
      frame.module = text_of(file);
      frame.users = frame.place.known() && user_code_.has(frame.place.file, frame.folder, frame.module);
      frame.place.file = file_from_here(frame.place.file, frame.folder);
    }
    return frames;
  }

  base::Mutex mutex_;
  Dwfl_Callbacks callbacks_ WARPFIBER_GUARDED_BY(mutex_){.find_elf = nullptr,
                                                         .find_debuginfo = find_debug_information,
                                                         .section_address = nullptr,
                                                         .debuginfo_path = nullptr};
  std::unique_ptr<Dwfl, End> session_ WARPFIBER_GUARDED_BY(mutex_);
  bool modules_are_read_ WARPFIBER_GUARDED_BY(mutex_) = false;
  base::ModuleCounts counts_ WARPFIBER_GUARDED_BY(mutex_);
  std::unordered_map<std::uintptr_t, Frames> answers_ WARPFIBER_GUARDED_BY(mutex_);
  UserCode user_code_ WARPFIBER_GUARDED_BY(mutex_);
  Variables variables_ WARPFIBER_GUARDED_BY(mutex_);
  TypeReader types_ WARPFIBER_GUARDED_BY(mutex_){user_code_};
};

constinit base::Service<Symboliser> Symboliser::the_process_;

Symboliser::Symboliser() : modules_(std::make_unique<Modules>()) {}

Symboliser::~Symboliser() = default;

Frames Symboliser::frames(std::uintptr_t address) {
  return modules_->frames(address);
}

std::optional<DebugVariable> Symboliser::variable(std::uintptr_t address) {
  return modules_->variable(address);
}

const record::TypeLayout* Symboliser::type_of_variable(const void* start) {
  return modules_->type_of_variable(start);
}

std::vector<FunctionParameter> Symboliser::parameters_of(const void* function) {
  return modules_->parameters_of(function);
}

std::vector<LocalVariable> Symboliser::local_variables(std::uintptr_t address, LocalScope scope,
                                                       std::string_view alias_ending) {
  return modules_->local_variables(address, scope, alias_ending);
}

const record::TypeLayout* Symboliser::pointee(const record::TypeLayout& pointer) {
  return modules_->pointee(pointer);
}

std::string Symboliser::symbol(std::uintptr_t address) {
  return modules_->symbol(address);
}

}  // namespace warpfiber::symbols
