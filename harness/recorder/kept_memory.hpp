#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "recorder/scratch.hpp"
#include "recording/recorder_control.hpp"
#include "recording/recording.hpp"

namespace robust_kbench::recorder {

// Memory that the harness gave in the first call, and that later calls use: tensors that the kernel
// keeps. In a replay it is scratch, since the harness takes the arena back after each batch.
class KeptMemory {
 public:
  void know_first_call(const std::vector<RecordedMemory>& allocations) {
    m_first = allocations;
    m_offsets.clear();
  }
  // The place in scratch of an address in such memory.
  std::optional<RecordedPlace> place_of(std::uint64_t address, Scratch& scratch);
  // Moves what the first call did with kept memory there, too. False if the call returned some of
  // it, which a replay must have in the arena.
  bool move(RecordedSection& first) const;

 private:
  std::vector<RecordedMemory> m_first;
  std::map<std::uint32_t, std::uint64_t> m_offsets;  // in scratch, by allocation
};

}  // namespace robust_kbench::recorder
