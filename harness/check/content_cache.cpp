#include "check/content_cache.hpp"

#include <iterator>
#include <utility>

#include "check/limits_cache.hpp"
#include "device/gpu_memory_wait.hpp"

namespace robust_kbench {
namespace {

std::size_t content_bytes(const Content& content) {
  std::size_t bytes = 1;  // never 0, which means that it is being made
  for (const auto& [name, tensor] : content.tensors.all()) {
    if (tensor.defined()) bytes += tensor.nbytes();
  }
  for (const at::Tensor& reference : content.references) bytes += reference.nbytes();
  for (const auto& parts : content.parts) {
    for (const OutputPart& part : parts) bytes += part.mask.storage().nbytes();
  }
  return bytes;
}

}  // namespace

std::string content_key(const Case& c, std::uint64_t seed) {
  return content_kind(c, seed) + "/" + std::to_string(seed);
}

std::shared_ptr<const Content> ContentCache::get(const std::string& key,
                                                 const std::function<Content()>& make) {
  std::promise<std::shared_ptr<const Content>> promise;
  {
    std::unique_lock lock(m_mutex);
    for (auto known = m_kept.find(key); known != m_kept.end(); known = m_kept.find(key)) {
      m_uses.splice(m_uses.begin(), m_uses, known->second.use);
      const Future content = known->second.content;
      lock.unlock();
      try {
        return content.get();
      } catch (const OutOfGpuMemory&) {
        // The other thread may have failed because it does not wait for memory. So this thread
        // tries itself.
        lock.lock();
      }
    }
    m_uses.push_front(key);
    m_kept[key] = {.content = promise.get_future().share(), .use = m_uses.begin()};
  }
  try {
    auto made = std::make_shared<const Content>(make());
    promise.set_value(made);
    const std::scoped_lock lock(m_mutex);
    Kept& kept = m_kept.at(key);
    kept.bytes = content_bytes(*made);
    m_bytes += kept.bytes;
    forget_oldest(m_max_bytes);
    return made;
  } catch (...) {
    {
      const std::scoped_lock lock(m_mutex);
      m_uses.erase(m_kept.at(key).use);
      m_kept.erase(key);
    }
    promise.set_exception(std::current_exception());
    throw;
  }
}

void ContentCache::clear() {
  const std::scoped_lock lock(m_mutex);
  forget_oldest(0);
}

std::size_t ContentCache::bytes() const {
  const std::scoped_lock lock(m_mutex);
  return m_bytes;
}

void ContentCache::forget_oldest(std::size_t max_bytes) {
  for (auto use = m_uses.end(); m_bytes > max_bytes && use != m_uses.begin();) {
    --use;
    const auto kept = m_kept.find(*use);
    if (kept->second.bytes == 0) continue;
    m_bytes -= kept->second.bytes;
    m_kept.erase(kept);
    use = m_uses.erase(use);
  }
}

}  // namespace robust_kbench
