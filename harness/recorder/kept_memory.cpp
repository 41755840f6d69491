#include "recorder/kept_memory.hpp"

#include <algorithm>
#include <type_traits>

namespace robust_kbench::recorder {
namespace {

// Calls `visit` with each place of an operation or of a node's work.
class Places {
 public:
  template <typename Visit>
  static void of(RecordedBytes& bytes, const Visit& visit) {
    for (RecordedRelocation& relocation : bytes.relocations) visit(relocation.place);
  }
  template <typename Visit>
  static void of(RecordedLaunch& launch, const Visit& visit) {
    of(launch.parameters, visit);
  }
  template <typename Visit>
  static void of(RecordedFill& fill, const Visit& visit) {
    visit(fill.to);
  }
  template <typename Visit>
  static void of(RecordedCopy& copy, const Visit& visit) {
    visit(copy.to);
    visit(copy.from);
  }
  template <typename Visit>
  static void of(RecordedUpload& upload, const Visit& visit) {
    visit(upload.to);
    of(upload.content, visit);
  }
  template <typename Visit>
  static void of(RecordedGraphLaunch& launch, const Visit& visit) {
    for (RecordedNode& node : launch.nodes) {
      std::visit([&](auto& work) { of(work, visit); }, node.work);
    }
  }
  template <typename Other, typename Visit>
  static void of(Other&, const Visit&) {}
};

}  // namespace

std::optional<RecordedPlace> KeptMemory::place_of(std::uint64_t address, Scratch& scratch) {
  for (std::size_t i = 0; i < m_first.size(); ++i) {
    if (address < m_first[i].address || address - m_first[i].address >= m_first[i].bytes) continue;
    const auto number = static_cast<std::uint32_t>(i);
    if (!m_offsets.contains(number)) {
      const auto taken = scratch.take(m_first[i].bytes);
      if (!taken) return std::nullopt;
      m_offsets[number] = *scratch.offset_of(*taken);
    }
    return RecordedPlace{RecordedPlace::Kind::scratch, 0,
                         m_offsets[number] + (address - m_first[i].address)};
  }
  return std::nullopt;
}

bool KeptMemory::move(RecordedSection& first) const {
  const auto is_kept = [&](const RecordedPlace& place) {
    return place.kind == RecordedPlace::Kind::allocation && m_offsets.contains(place.index);
  };
  const auto move_place = [&](RecordedPlace& place) {
    if (is_kept(place)) {
      place = {RecordedPlace::Kind::scratch, 0, m_offsets.at(place.index) + place.offset};
    }
  };
  for (RecordedOperation& operation : first.operations) {
    std::visit([&](auto& action) { Places::of(action, move_place); }, operation.action);
  }
  return std::none_of(first.results.begin(), first.results.end(),
                      [&](const RecordedResult& result) { return is_kept(result.place); });
}

}  // namespace robust_kbench::recorder
