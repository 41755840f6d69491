#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace robust_kbench {

// Measures how busy other programs keep some processors, by the operating system's counts. What a
// hypervisor takes away counts as theirs.
class OtherLoad {
 public:
  // Begins to measure. `own` are the processes that are not others, with all that they have reaped.
  // They run on those processors alone. `proc` is where the operating system tells of processes.
  OtherLoad(std::vector<int> cpus, std::vector<pid_t> own, std::filesystem::path proc = "/proc");

  // How many of the processors others have kept busy since, on average. None where `proc` does not
  // tell, or no tick of its clock has passed.
  [[nodiscard]] std::optional<double> busy_cpus() const;

 private:
  struct Ticks {
    std::uint64_t busy = 0;  // of the processors, by anybody
    std::uint64_t all = 0;   // and idle
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
