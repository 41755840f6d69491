#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/manifest.hpp"
#include "core/record.hpp"
#include "process/temporary_directory.hpp"

namespace robust_kbench {

// A kernel's shared object and the record of its build.
struct Build {
  BuildRecord record;
  std::shared_ptr<const TemporaryDirectory> directory = {};  // holds the library; may be null
};

// What is left of `refused` for a kernel to which some of it is allowed.
Capabilities refused_to(const KernelSource& kernel, Capabilities refused);

// Rejects a kernel that compiles where its code asks for what is refused and not allowed to it.
void refuse(const Capabilities& refused, const KernelSource& kernel, BuildRecord& record);

// The build record that a build wrote for a kernel. Throws UserError where it is missing or cannot
// be read.
BuildRecord load_build_record(const KernelSource& kernel);

// Throws UserError for a kernel of the manifest that is not built. Called before an evaluation of
// several kernels, since a later failure would lose the records of the kernels before it.
void require_built(const Manifest& manifest, const std::vector<KernelSource>& kernels);

// Compiles for several threads, at most as many kernels at a time as there are processors.
class CompilePool {
 public:
  // `toolchain` must outlive this object.
  CompilePool(const Toolchain& toolchain, bool cache, Capabilities refused = {});

  // Compiles a kernel. A kernel of the build is built already, so only its record is read. One that
  // asks for what is refused is rejected. Throws
  // UserError for a source that does not exist, and Cancelled once `stop` is requested.
  // `on_progress` is told of slow steps.
  Build build(const KernelSource& kernel, const std::stop_token& stop = {},
              const std::function<void(const std::string&)>& on_progress = {});

 private:
  class Place;

  Build built(const KernelSource& kernel, const std::stop_token& stop,
              const std::function<void(const std::string&)>& on_progress);

  const Toolchain& m_toolchain;
  const bool m_cache;
  const Capabilities m_refused;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  int m_free;
};

}  // namespace robust_kbench
