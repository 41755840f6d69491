#pragma once

namespace robust_kbench {

// Sets how many threads torch's operators use, where this thread calls them, until the end of the
// scope.
class ScopedTorchThreads {
 public:
  explicit ScopedTorchThreads(int threads);
  ~ScopedTorchThreads();
  ScopedTorchThreads(const ScopedTorchThreads&) = delete;
  ScopedTorchThreads& operator=(const ScopedTorchThreads&) = delete;

 private:
  int m_before;
};

}  // namespace robust_kbench
