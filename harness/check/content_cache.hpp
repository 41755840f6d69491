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

// The key of a case's content from `seed`. Configs with the same parameters share it.
std::string content_key(const Case& c, std::uint64_t seed);

// Contents and references for the kernels of one entry, kept for the next kernel. It is safe to use
// from any thread. A thread waits for content that another thread is making.
class ContentCache {
 public:
  // Evicts the least recently used content if there would be more than `max_bytes`.
  explicit ContentCache(std::size_t max_bytes) : m_max_bytes(max_bytes) {}

  // The content for `key`, from the cache or made by `make`.
  std::shared_ptr<const Content> get(const std::string& key, const std::function<Content()>& make);

  // Forgets everything except contents that are being made.
  void clear();
  // The bytes of the kept contents.
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
  std::list<std::string> m_uses;  // keys, the latest first
};

}  // namespace robust_kbench
