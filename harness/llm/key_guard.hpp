#pragma once

#include <map>
#include <string>

namespace robust_kbench {

// Guards keys during its lifetime. Meanwhile the process is not dumpable. So no other program of
// the same user can trace it, or read its memory and environment in /proc. The end of the last
// guard makes it dumpable again, if it was, and each guard overwrites its keys. Threads may have
// guards at the same time.
class KeyGuard {
 public:
  // `keys` outlives this object.
  explicit KeyGuard(std::map<std::string, std::string>& keys);
  ~KeyGuard();
  KeyGuard(const KeyGuard&) = delete;
  KeyGuard& operator=(const KeyGuard&) = delete;

 private:
  std::map<std::string, std::string>& m_keys;
};

}  // namespace robust_kbench
