#pragma once

namespace robust_kbench {

// Torch's operators use so many threads until the end of the scope, where the calling thread calls
// them.
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
