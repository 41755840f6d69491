#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recorder/kept_memory.hpp"
#include "recorder/scratch.hpp"
#include "recording/recorder_control.hpp"
#include "recording/recording.hpp"

namespace robust_kbench::recorder {

// The memory that a section's addresses can refer to.
struct SectionMemory {
  std::vector<RecordedMemory> arguments;
  std::vector<RecordedMemory> allocations;
  std::vector<RecordedMemory> arena;  // all mappings in which tensors of any call lie
};

// Turns absolute addresses into places that another process can find.
class Resolver {
 public:
  // `kept` is null in the load and in the first call.
  Resolver(SectionMemory memory, Scratch& scratch, KeptMemory* kept);

  // Resolves places, and the words of parameters and uploads that are addresses. Writes the sizes
  // of arguments and allocations.
  void resolve(RecordedSection& section);

  // Why some address has no place.
  [[nodiscard]] const std::vector<std::pair<ReplayObstacle::Kind, std::string>>& obstacles() const {
    return m_obstacles;
  }

 private:
  std::optional<RecordedPlace> place_of(std::uint64_t address);
  [[nodiscard]] bool in_arena(std::uint64_t address) const;
  void resolve_work(RecordedLaunch& launch);
  void resolve_work(RecordedFill& fill);
  void resolve_work(RecordedCopy& copy);
  void resolve_work(RecordedUpload& upload);
  void resolve_work(RecordedGraphLaunch& launch);
  template <typename Other>
  void resolve_work(Other&) {}
  void resolve_place(RecordedPlace& place, const char* operand);
  void resolve_bytes(RecordedBytes& bytes, bool ask_driver);
  void refuse_foreign(std::uint64_t address, const std::string& operand);

  SectionMemory m_memory;
  Scratch& m_scratch;
  KeptMemory* m_kept;
  std::vector<std::pair<ReplayObstacle::Kind, std::string>> m_obstacles;
};

}  // namespace robust_kbench::recorder
