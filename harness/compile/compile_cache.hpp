#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace robust_kbench {

// What compilers made before, kept by ccache: by the content of all files read, the flags, the
// compiler and the CPU, 1 GiB at most, what was used longest ago thrown away first. It lies in
// $RKB_CACHE, else $XDG_CACHE_HOME/robust_kbench, else ~/.cache/robust_kbench. Where there is no
// ccache, or that directory cannot be written, everything is compiled.
class CompileCache {
 public:
  // Why there is none on this machine; empty where there is one.
  static std::string missing();
  // Where it lies or would lie; empty without a home.
  static std::filesystem::path directory();

  // `compiler` is its path and version; `scratch` a directory of the compilation's own.
  CompileCache(const std::string& compiler, const std::filesystem::path& scratch);

  // What to put before a compiler's command that makes one object and a depfile; empty: no cache.
  // What is not in the cache is made by `compiled_by`, a program that is given the command; empty:
  // by the command itself.
  [[nodiscard]] std::vector<std::string> launcher(const std::string& compiled_by) const;
  // Whether a command failed for the cache's sake; there is no cache from then on.
  bool failed(const std::string& output);
  // Whether every command so far was answered by the cache.
  [[nodiscard]] bool answered_all() const;

 private:
  std::string m_directory;  // empty: no cache
  std::filesystem::path m_log;
  std::filesystem::path m_identity;
};

}  // namespace robust_kbench
