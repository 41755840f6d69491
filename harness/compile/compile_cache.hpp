#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace robust_kbench {

// A cache of compiled objects, kept by ccache. The key is the content of all files read, the flags,
// the compiler and the CPU. It holds 1 GiB at most and evicts the least recently used. It lies in
// $RKB_CACHE, else $XDG_CACHE_HOME/robust_kbench, else ~/.cache/robust_kbench. Without ccache, or
// if that directory cannot be written, everything is compiled.
class CompileCache {
 public:
  // The reason why this machine has no cache, or empty if it has one.
  static std::string missing();
  // The cache's directory, which may not exist yet. It is empty if there is no home directory.
  static std::filesystem::path directory();

  // `compiler` is the compiler's path and version. `scratch` is a directory of this compilation
  // alone.
  CompileCache(const std::string& compiler, const std::filesystem::path& scratch);

  // The prefix of a compiler's command that makes one object and a depfile. It is empty without a
  // cache. On a miss ccache runs the first of the programs `compiled_by`, with the others and the
  // command as its arguments. Without such programs ccache runs the command itself. `precompiled`
  // says that the command reads a precompiled header (compile/precompiled_torch.hpp).
  [[nodiscard]] std::vector<std::string> launcher(const std::vector<std::string>& compiled_by,
                                                  bool precompiled) const;
  // True if a command failed because of the cache. Then the cache is not used any more.
  bool failed(const std::string& output);
  // True if the cache answered every command so far.
  [[nodiscard]] bool answered_all() const;

 private:
  std::string m_directory;  // empty: no cache
  std::filesystem::path m_log;
  std::filesystem::path m_identity;
};

}  // namespace robust_kbench
