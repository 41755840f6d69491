#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "check/call_checker.hpp"
#include "core/case.hpp"

namespace robust_kbench {

// The key of the content that `seed` makes of a case. Configs with the same parameters share it.
std::string content_key(const Case& c, std::uint64_t seed);

// Contents and references on which several kernels of one entry are called, kept for the next
// kernel. Any thread may ask. A thread that asks for what another is making waits for it.
class ContentCache {
 public:
  // Evicts the least recently used content where there would be more than `max_bytes`.
  explicit ContentCache(std::size_t max_bytes) : m_max_bytes(max_bytes) {}

  // The content for `key`, from the cache or made by `make`.
  std::shared_ptr<const Content> get(const std::string& key, const std::function<Content()>& make);

  // Forgets everything except contents that are being made.
  void clear();
  // Bytes of the contents that are kept.
  [[nodiscard]] std::size_t bytes() const;

 private:
  using Future = std::shared_future<std::shared_ptr<const Content>>;
  struct Kept {
    Future content;
    std::size_t bytes = 0;  // 0: being made
    std::list<std::string>::iterator use;
  };
  void forget_oldest(std::size_t max_bytes);

  const std::size_t m_max_bytes;
  mutable std::mutex m_mutex;
  std::size_t m_bytes = 0;
  std::map<std::string, Kept> m_kept;
  std::list<std::string> m_uses;  // the latest first
};

}  // namespace robust_kbench
