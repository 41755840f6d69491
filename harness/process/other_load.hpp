#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace robust_kbench {

// Measures how busy other programs keep some processors, by the operating system's counts. Time
// that a hypervisor takes counts as theirs.
class OtherLoad {
 public:
  // Begins to measure. `own` lists the processes that do not count, with the children they have
  // reaped. They must run on those processors only. `proc` is the mount point of procfs.
  OtherLoad(std::vector<int> cpus, std::vector<pid_t> own, std::filesystem::path proc = "/proc");

  // The number of processors that others have kept busy since then, on average. Nothing if `proc`
  // cannot be read, or no clock tick has passed.
  [[nodiscard]] std::optional<double> busy_cpus() const;

 private:
  struct Ticks {
    std::uint64_t busy = 0;  // ticks in which the processors were busy for anybody
    std::uint64_t all = 0;   // busy or idle ticks
    std::uint64_t own = 0;
  };

  [[nodiscard]] std::optional<Ticks> now() const;
  [[nodiscard]] std::uint64_t ticks_of(pid_t process) const;

  std::vector<int> m_cpus;
  std::vector<pid_t> m_own;
  std::filesystem::path m_proc;
  std::optional<Ticks> m_begin;
};

}  // namespace robust_kbench
