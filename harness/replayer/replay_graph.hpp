#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "replayer/graph_driver.hpp"
#include "replayer/plan.hpp"
#include "replayer/replay_code.hpp"

namespace robust_kbench {

// The addresses that a recording's places have in one replay.
struct ReplayPlaces {
  std::vector<std::uint64_t> arguments;
  std::vector<std::uint64_t> allocations;

  [[nodiscard]] std::uint64_t address_of(const RecordedPlace& place, const ReplayCode& code) const;
};

// A graph of the driver's, made of plans one after the other. Uploads read memory of this object.
class ReplayGraph {
 public:
  ReplayGraph();
  ~ReplayGraph();
  ReplayGraph(const ReplayGraph&) = delete;
  ReplayGraph& operator=(const ReplayGraph&) = delete;

  // Appends a plan's work, which begins when all that was appended before has ended. Throws
  // HarnessError for work that does not fit to the code, and where the driver fails.
  void append(const ReplayPlan& plan, const ReplayPlaces& places, const ReplayCode& code);
  // Appends a copy of another graph of the driver's in the same way.
  void append(GraphDriver::Graph child);
  // Makes it ready to be launched. Nothing can be appended from then on.
  void finish();
  // Enqueues it on the default stream.
  void launch() const;

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

  void* m_graph = nullptr;
  void* m_executable = nullptr;
  std::vector<void*> m_ends;  // what appended work waits for
  std::deque<Bytes> m_uploads;
};

}  // namespace robust_kbench
