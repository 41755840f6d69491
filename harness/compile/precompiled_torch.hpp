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

// Torch's headers, precompiled for kernels of the CPU. They lie beside the compiled objects
// (compile/compile_cache.hpp) in torch_headers/, 700 MB for each set of flags. Three sets are kept,
// and the one that was not used for longest goes. Each is made in a directory that is renamed when
// it is whole. So neither a full disk nor the end of a process leaves half of one.
class PrecompiledTorch {
 public:
  enum class Outcome { made, refused, failed };
  // Runs a command that writes in `directory` alone. It was refused where the compiler did not
  // accept its input, and failed where the machine did not let it end.
  using RunCommand = std::function<Outcome(const std::vector<std::string>& command,
                                           const std::filesystem::path& directory)>;

  // The header to include before all others. It stays in its place for as long as `in_use` lives.
  struct Header {
    std::filesystem::path file;
    Descriptor in_use;
  };

  // `command` is compiler and flags, of which no macro and no directory is the kernel's own.
  // `compiler` is its path and version.
  PrecompiledTorch(std::vector<std::string> command, const std::string& compiler);

  // True if it was made before, and nothing that it was made of has changed since.
  [[nodiscard]] bool exists() const;

  // Makes it where it is missing; other processes wait meanwhile. Nothing where there is no place
  // for it, the disk is full or the compiler refuses. Throws Cancelled once `stop` is requested.
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

// False where the kernel may make something else of torch's headers: by an option, or by a macro
// that it defines before it includes them.
bool may_precompile_torch(const KernelSource& kernel);

}  // namespace robust_kbench
