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

// A kernel's shared object and how it came to be.
struct Build {
  BuildRecord record;
  std::shared_ptr<const TemporaryDirectory> directory = {};  // that holds it; none of a build's
};

// The build record that a build left for a kernel. Throws UserError where there is none yet, or it
// cannot be read.
BuildRecord load_build_record(const KernelSource& kernel);

// Checks the build's kernels before an evaluation of several. Throws UserError for one that is not
// built. If that came up later, the records of the kernels before it would be lost.
void require_built(const Manifest& manifest, const std::vector<KernelSource>& kernels);

// Compiles for several threads, at most as many kernels at a time as there are processors.
class CompilePool {
 public:
  // `toolchain` must outlive this object.
  CompilePool(const Toolchain& toolchain, bool cache);

  // Compiles a kernel. For one of the build, which is built already, it reads the record instead.
  // Throws UserError for a source that does not exist, and Cancelled once `stop` is requested.
  // `on_progress` is told what takes long.
  Build build(const KernelSource& kernel, const std::stop_token& stop = {},
              const std::function<void(const std::string&)>& on_progress = {});

 private:
  class Place;

  const Toolchain& m_toolchain;
  const bool m_cache;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  int m_free;
};

}  // namespace robust_kbench
