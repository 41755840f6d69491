#include "compile/compile_cache.hpp"

#include <fstream>
#include <unistd.h>

#include "core/cache_directory.hpp"
#include "core/find_program.hpp"
#include "device/cpu.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

bool can_be_filled(const fs::path& directory) {
  if (directory.empty()) return false;
  constexpr std::uintmax_t least = std::uintmax_t{64} << 20;  // bytes: an object and some
  std::error_code error;
  fs::create_directories(directory, error);
  if (error || access(directory.c_str(), W_OK) != 0) return false;
  const fs::space_info space = fs::space(directory, error);
  return !error && space.available >= least;
}

}  // namespace

fs::path CompileCache::directory() {
  return cache_directory();
}

std::string CompileCache::missing() {
  if (find_program("ccache", search_path()).empty()) return "no ccache on PATH; install it";
  if (can_be_filled(directory())) return {};
  return "'" + directory().string() +
         "' cannot be written or its disk is full; name another directory by RKB_CACHE";
}

CompileCache::CompileCache(const std::string& compiler, const fs::path& scratch)
    : m_log(scratch / "ccache.log"), m_identity(scratch / "compiler.txt") {
  if (!missing().empty()) return;
  m_directory = directory();
  // The key has the CPU for -march=native, and the version since nvcc consists of many programs.
  std::ofstream(m_identity) << compiler << "\n" << cpu_facts().model << "\n";
}

std::vector<std::string> CompileCache::launcher(const std::vector<std::string>& compiled_by,
                                                bool precompiled) const {
  if (m_directory.empty()) return {};
  std::string prefix;
  for (const std::string& program : compiled_by) prefix += (prefix.empty() ? "" : " ") + program;
  // Depend mode reads the depfile instead of preprocessing first, so a miss costs nothing. The
  // user's own settings are ignored, so that none loosens the comparison.
  return {
      "env", "CCACHE_DIR=" + m_directory, "CCACHE_CONFIGPATH=/dev/null", "CCACHE_DEPEND=1",
      "CCACHE_MAXSIZE=1G",
      // ccache cannot see the parts of a precompiled header. The text beside it stands for them.
      precompiled ? "CCACHE_SLOPPINESS=pch_defines,time_macros" : "CCACHE_SLOPPINESS=",
      "CCACHE_PCH_EXTSUM=1", "CCACHE_EXTRAFILES=" + m_identity.string(),
      "CCACHE_STATSLOG=" + m_log.string(), "CCACHE_PREFIX=" + prefix, "ccache"};
}

// "ccache: error" also begins the loader's message if a library that ccache needs is missing.
bool CompileCache::failed(const std::string& output) {
  if (m_directory.empty() || output.find("ccache: error") == std::string::npos) return false;
  m_directory.clear();
  return true;
}

bool CompileCache::answered_all() const {
  std::ifstream log(m_log);
  bool hit = false;
  for (std::string line; std::getline(log, line);) {
    if (line == "cache_miss") return false;
    hit = hit || line == "direct_cache_hit" || line == "preprocessed_cache_hit";
  }
  return hit && !m_directory.empty();
}

}  // namespace robust_kbench
