#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/descriptor.hpp"
#include "core/manifest.hpp"

namespace robust_kbench {

// Torch's headers, precompiled for CPU kernels. They lie beside the compiled objects
// (compile/compile_cache.hpp) in torch_headers/, 700 MB for each set of flags. Three sets are kept,
// and the least recently used one is removed. Each is made in a directory that is renamed when it
// is complete. So neither a full disk nor the end of a process leaves half of one.
class PrecompiledTorch {
 public:
  enum class Outcome { made, refused, failed };
  // Runs a command that writes in `directory` alone. `refused` means that the compiler did not
  // accept its input, `failed` that the machine did not let it finish.
  using RunCommand = std::function<Outcome(const std::vector<std::string>& command,
                                           const std::filesystem::path& directory)>;

  // The header to include before all others. It stays in its place while `in_use` lives.
  struct Header {
    std::filesystem::path file;
    Descriptor in_use;
  };

  // `command` is a compiler with flags, without macros and directories of the kernel's own.
  // `compiler` is its path and version.
  PrecompiledTorch(std::vector<std::string> command, const std::string& compiler);

  // True if the header was made before, and none of its files has changed since.
  [[nodiscard]] bool exists() const;

  // Makes the header if it is missing; other processes wait meanwhile. Returns nullopt if there is
  // no place for it, the disk is full or the compiler refuses. Throws Cancelled once `stop` is
  // requested.
  [[nodiscard]] std::optional<Header> header(const RunCommand& run,
                                             const std::stop_token& stop = {}) const;

 private:
  [[nodiscard]] std::optional<Header> take() const;
  void make(const RunCommand& run) const;
  [[nodiscard]] bool remove_unused(const std::filesystem::path& set) const;
  void keep_few() const;

  std::vector<std::string> m_command;
  std::filesystem::path m_root;       // of all sets; empty: there is no place
  std::filesystem::path m_directory;  // of this set
};

// False if the kernel may change torch's headers: by an option, or by a macro that it defines
// before it includes them.
bool may_precompile_torch(const KernelSource& kernel);

}  // namespace robust_kbench
