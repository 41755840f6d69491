#include "evaluate/build.hpp"

#include <optional>
#include <utility>

#include "compile/compile.hpp"
#include "core/build_command.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"
#include "core/parse_json.hpp"
#include "core/text_file.hpp"
#include "device/cpu.hpp"
#include "device/cpu_lock.hpp"
#include "evaluate/requirements.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

bool is_of_build(const KernelSource& kernel) {
  return !kernel.record.empty();
}

bool is_built_here(const Toolchain& toolchain, const KernelSource& kernel) {
  return missing_compiler(kernel, toolchain).empty();
}

}  // namespace

Capabilities refused_to(const KernelSource& kernel, Capabilities refused) {
  for (const Capability capability : kernel.allowed) refused.erase(capability);
  return refused;
}

void refuse(const Capabilities& refused, const KernelSource& kernel, BuildRecord& record) {
  if (!record.judgement.passes()) return;
  std::string reason = capability_refusal(record.uses, refused_to(kernel, refused));
  if (reason.empty()) return;
  record.judgement = {.verdict = Verdict::load_error, .reason = std::move(reason)};
  record.library.clear();
}

BuildRecord load_build_record(const KernelSource& kernel) {
  const std::optional<std::string> text = read_text(kernel.record);
  if (!text) {
    throw UserError("kernel '" + kernel.name + "' of " + kernel.entry.name() +
                    " is not built: " + kernel.record +
                    " does not exist; build it first: " + build_command(kernel.record, "kernels"));
  }
  try {
    return parse_json(*text).get<BuildRecord>();
  } catch (const nlohmann::json::exception& error) {
    throw UserError("kernel '" + kernel.name + "' of " + kernel.entry.name() + ": " +
                    kernel.record + " is damaged: " + error.what() + "; build it again: rm " +
                    path_word(kernel.record) + " && " + build_command(kernel.record, "kernels"));
  }
}

void require_built(const Manifest& manifest, const std::vector<KernelSource>& kernels) {
  for (const KernelSource& kernel : kernels) {
    if (is_of_build(kernel) && is_built_here(manifest.toolchain, kernel)) {
      (void)load_build_record(kernel);
    }
  }
}

// Occupies one of the pool's places during its lifetime.
class CompilePool::Place {
 public:
  Place(CompilePool& pool, const std::stop_token& stop) : m_pool(pool) {
    std::unique_lock lock(pool.m_mutex);
    if (!pool.m_changed.wait(lock, stop, [&] { return pool.m_free > 0; })) throw Cancelled();
    --pool.m_free;
  }
  ~Place() {
    {
      const std::scoped_lock lock(m_pool.m_mutex);
      ++m_pool.m_free;
    }
    m_pool.m_changed.notify_one();
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  CompilePool& m_pool;
};

CompilePool::CompilePool(const Toolchain& toolchain, bool cache, Capabilities refused)
    : m_toolchain(toolchain),
      m_cache(cache),
      m_refused(std::move(refused)),
      m_free(static_cast<int>(usable_cpus().size())) {}

Build CompilePool::build(const KernelSource& kernel, const std::stop_token& stop,
                         const std::function<void(const std::string&)>& on_progress) {
  Build build = built(kernel, stop, on_progress);
  refuse(m_refused, kernel, build.record);
  return build;
}

Build CompilePool::built(const KernelSource& kernel, const std::stop_token& stop,
                         const std::function<void(const std::string&)>& on_progress) {
  if (is_of_build(kernel)) {
    if (is_built_here(m_toolchain, kernel)) return {.record = load_build_record(kernel)};
    return {.record = {.judgement = {.verdict = Verdict::skipped,
                                     .reason = skip_reason(kernel, m_toolchain)}}};
  }
  const Place place(*this, stop);
  const CpuLock processors(GpuLock::Use::shared);
  auto directory = std::make_shared<const TemporaryDirectory>("evaluate");
  BuildRecord record = compile(kernel, m_toolchain, directory->path() / "kernel.so",
                               {.cache = m_cache, .stop = stop, .on_progress = on_progress});
  return {.record = std::move(record), .directory = std::move(directory)};
}

}  // namespace robust_kbench
