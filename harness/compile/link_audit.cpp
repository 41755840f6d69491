#include "compile/link_audit.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "compile/elf_file.hpp"
#include "process/command.hpp"
#include "process/demangle.hpp"
#include "process/escape.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* module_symbol = "rkb_kernel_module";

// Libraries that every worker has loaded, whether the kernel names them or not.
const std::vector<std::string> provided{"libc.so.6", "libm.so.6", "libgcc_s.so.1",
                                        "libstdc++.so.6"};

// The dynamic loader's own list of libraries: name to path.
const std::map<std::string, fs::path>& loader_cache() {
  static const std::map<std::string, fs::path> cache = [] {
    std::map<std::string, fs::path> found;
    const std::string program = fs::exists("/sbin/ldconfig") ? "/sbin/ldconfig" : "ldconfig";
    std::istringstream lines(run_command({program, "-p"}, std::chrono::seconds{10}).output);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string name;
      words >> name;
      const std::size_t arrow = line.find(" => ");
      if (arrow != std::string::npos && line.find("x86-64") < arrow) {
        found.emplace(name, line.substr(arrow + 4));
      }
    }
    return found;
  }();
  return cache;
}

std::vector<fs::path> directories_of(const std::string& list, const fs::path& origin) {
  std::vector<fs::path> directories;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ':');) {
    for (const std::string word : {"${ORIGIN}", "$ORIGIN"}) {
      const std::size_t at = part.find(word);
      if (at != std::string::npos) part.replace(at, word.size(), origin.string());
    }
    if (!part.empty()) directories.emplace_back(part);
  }
  return directories;
}

// The path at which the loader would find a library that an object needs, or empty if it would not.
fs::path locate(const std::string& name, const ElfFile& needed_by, const fs::path& origin) {
  if (name.find('/') != std::string::npos) return fs::exists(name) ? fs::path(name) : fs::path();
  std::vector<fs::path> directories;
  const auto add = [&](const std::string& list) {
    for (fs::path& directory : directories_of(list, origin)) directories.push_back(directory);
  };
  for (const std::string& list : needed_by.run_paths()) add(list);
  if (const char* list = std::getenv("LD_LIBRARY_PATH"); list != nullptr) add(list);
  for (const fs::path& directory : directories) {
    if (fs::is_regular_file(directory / name)) return directory / name;
  }
  const auto cached = loader_cache().find(name);
  if (cached != loader_cache().end()) return cached->second;
  for (const char* directory : {"/lib64", "/usr/lib64", "/lib", "/usr/lib"}) {
    if (fs::is_regular_file(fs::path(directory) / name)) return fs::path(directory) / name;
  }
  return {};
}

// Recognises CUDA's libraries and their symbols: cublasCreate, cuLaunchKernel, nvrtcCompileProgram.
bool is_cudas(std::string_view name) {
  if (name.starts_with("lib")) name.remove_prefix(3);
  return name.starts_with("cu") || name.starts_with("nv");
}

// Recognises torch's libraries, and the worker's side of them.
bool is_library_of_torch(std::string_view name) {
  name.remove_prefix(name.rfind('/') + 1);
  return name.starts_with("libtorch") || name.starts_with("libc10") ||
         name == "librkb_operators.so";
}

// The symbols of all libraries that an object needs, directly or indirectly.
class Surroundings {
 public:
  explicit Surroundings(bool cuda) : m_cuda(cuda) {}

  void add_needs_of(const ElfFile& object, const fs::path& path) {
    for (const std::string& name : object.needed()) add(name, object, path.parent_path());
  }
  void add(const std::string& name, const ElfFile& needed_by, const fs::path& origin) {
    if (!m_seen.insert(name).second) return;
    const fs::path path = locate(name, needed_by, origin);
    if (path.empty()) {
      if (!(m_cuda && is_cudas(name))) m_missing.push_back(name);
      return;
    }
    const ElfFile library(path);
    library.each_symbol([&](std::string_view symbol, bool defined, bool) {
      if (defined) m_symbols.emplace(symbol);
    });
    // Libraries that torch itself needs are not checked. They may exist only where the kernel will
    // run.
    if (!is_library_of_torch(name)) add_needs_of(library, path);
  }

  [[nodiscard]] const std::vector<std::string>& missing() const { return m_missing; }
  [[nodiscard]] bool define(std::string_view symbol) const {
    return m_symbols.count(std::string(symbol)) > 0 || (m_cuda && is_cudas(symbol));
  }

 private:
  bool m_cuda;
  std::set<std::string> m_seen;
  std::set<std::string> m_symbols;
  std::vector<std::string> m_missing;
};

bool is_torchs(const std::string& name) {
  for (const char* space : {"at::", "c10::", "torch::"}) {
    const std::size_t at = name.find(space);
    if (at != std::string::npos && (at == 0 || name[at - 1] == ' ')) return true;
  }
  return false;
}

std::string undefined_fault(const std::vector<std::string>& undefined) {
  constexpr std::size_t shown = 5;
  std::string names;
  bool torch = false;
  for (std::size_t i = 0; i < undefined.size(); ++i) {
    const std::string name = demangled(undefined[i]);
    torch = torch || is_torchs(name);
    if (i < shown) names += "\n  " + name;
  }
  if (undefined.size() > shown) {
    names += "\n  and " + std::to_string(undefined.size() - shown) + " more";
  }
  return "undefined symbol, which neither the kernel nor a library that it links defines:" + names +
         (torch ? "\nat::, c10:: and torch:: are torch's own, which no kernel over shim headers is "
                  "linked with; use what torch/extension.h declares, or torch's headers "
                  "(--headers torch, or HEADERS torch in CMake)"
                : "\ndefine it, or name its library to the linker");
}

std::string fault_of(const fs::path& library, bool cuda, bool over_torch) {
  const ElfFile object(library);
  if (object.has_executable_stack()) {
    return "the kernel asks for an executable stack; leave out nested functions and assembly "
           "without .note.GNU-stack";
  }
  if (object.has_text_relocations()) {
    return "the kernel's code must be written to when it is loaded (text relocations); compile all "
           "of it with -fPIC";
  }
  const auto torchs =
      std::find_if(object.needed().begin(), object.needed().end(), is_library_of_torch);
  if (!over_torch && torchs != object.needed().end()) {
    return "the kernel links " + escaped(*torchs) +
           ", whose memory would not be the worker's; compile it over torch's headers (--headers "
           "torch, or HEADERS torch in CMake)";
  }
  Surroundings surroundings(cuda);
  surroundings.add_needs_of(object, library);
  for (const std::string& name : provided) surroundings.add(name, object, library.parent_path());
  if (!surroundings.missing().empty()) {
    return "the kernel needs " + escaped(surroundings.missing().front()) +
           ", which is not on this machine; install it, or add its directory to LD_LIBRARY_PATH";
  }
  std::vector<std::string> undefined;
  object.each_symbol([&](std::string_view symbol, bool defined, bool weak) {
    if (!defined && !weak && !surroundings.define(symbol)) undefined.emplace_back(symbol);
  });
  return undefined.empty() ? std::string() : undefined_fault(undefined);
}

}  // namespace

bool exports_module(const fs::path& library) try {
  bool found = false;
  ElfFile(library).each_symbol([&](std::string_view symbol, bool defined, bool) {
    found = found || (defined && symbol == module_symbol);
  });
  return found;
} catch (const MalformedElf&) {
  return false;
}

std::string link_fault(const fs::path& library, bool cuda, bool over_torch) try {
  return fault_of(library, cuda, over_torch);
} catch (const MalformedElf& error) {
  return escaped(error.what());
}

}  // namespace robust_kbench
