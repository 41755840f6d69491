#pragma once

#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "check/call_checker.hpp"

namespace robust_kbench {

// Contents and references that several kernels of one entry are called on, kept for the next one.
// Any thread may ask; who asks for what another is making waits for it.
class ContentCache {
 public:
  // Forgets what was not asked for longest where there would be more than `max_bytes`.
  explicit ContentCache(std::size_t max_bytes) : m_max_bytes(max_bytes) {}

  // What `make` makes of `key`, now or before.
  std::shared_ptr<const Content> get(const std::string& key, const std::function<Content()>& make);

  // Everything but what is being made.
  void clear();
  // Of what is kept.
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
