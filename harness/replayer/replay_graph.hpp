#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "replayer/plan.hpp"
#include "replayer/replay_code.hpp"
#include "runner/work_graph.hpp"

namespace robust_kbench {

// The addresses that a recording's places have in one replay.
struct ReplayPlaces {
  std::vector<std::uint64_t> arguments;
  std::vector<std::uint64_t> allocations;

  [[nodiscard]] std::uint64_t address_of(const RecordedPlace& place, const ReplayCode& code) const;
};

// A graph of recorded work. Uploads read memory of this object.
class ReplayGraph : public WorkGraph {
 public:
  using WorkGraph::append;
  // Appends a plan's work, which begins when all that was appended before has ended. Throws
  // HarnessError for work that does not fit to the code, and where the driver fails.
  void append(const ReplayPlan& plan, const ReplayPlaces& places, const ReplayCode& code);

 private:
  using Bytes = std::vector<std::uint8_t>;

  void* add_node(const RecordedWork& work, const std::vector<void*>& after,
                 const ReplayPlaces& places, const ReplayCode& code);
  void* add(const RecordedNothing&, const std::vector<void*>& after);
  void* add(const RecordedLaunch& launch, const std::vector<void*>& after,
            const ReplayPlaces& places, const ReplayCode& code);
  void* add(const RecordedFill& fill, const std::vector<void*>& after, const ReplayPlaces& places,
            const ReplayCode& code);
  void* add(const RecordedCopy& copy, const std::vector<void*>& after, const ReplayPlaces& places,
            const ReplayCode& code);
  void* add(const RecordedUpload& upload, const std::vector<void*>& after,
            const ReplayPlaces& places, const ReplayCode& code);

  std::deque<Bytes> m_uploads;
};

}  // namespace robust_kbench
