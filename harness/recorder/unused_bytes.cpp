#include "recorder/unused_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "recorder/code_book.hpp"

namespace robust_kbench::recorder {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);
constexpr std::uint64_t all_bytes = ~std::uint64_t{0};

using Launches = std::vector<RecordedLaunch*>;

Launches launches_of(RecordedSection& section) {
  Launches launches;
  for (RecordedOperation& operation : section.operations) {
    if (auto* launch = std::get_if<RecordedLaunch>(&operation.action)) launches.push_back(launch);
    auto* graph = std::get_if<RecordedGraphLaunch>(&operation.action);
    if (graph == nullptr) continue;
    for (RecordedNode& node : graph->nodes) {
      if (auto* launch = std::get_if<RecordedLaunch>(&node.work)) launches.push_back(launch);
    }
  }
  return launches;
}

bool launch_the_same(const Launches& one, const Launches& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const RecordedLaunch* a, const RecordedLaunch* b) {
                      return a->function == b->function &&
                             a->parameters.bytes.size() == b->parameters.bytes.size();
                    });
}

// A number or an address has no unused bytes.
bool is_structure(const ParameterPlace& parameter) {
  return parameter.bytes != 1 && parameter.bytes != 2 && parameter.bytes != 4 &&
         parameter.bytes != word_bytes;
}

// Up to 8 bytes of one launch's parameters, which may be an address.
class Word {
 public:
  Word(RecordedBytes& all, std::size_t at, std::size_t bytes)
      : m_all(all), m_at(at), m_bytes(bytes) {}

  [[nodiscard]] std::optional<RecordedPlace> place() const {
    const auto found = relocation();
    if (found == m_all.relocations.end()) return std::nullopt;
    return found->place;
  }
  // The bytes as the driver got them.
  [[nodiscard]] std::uint64_t value() const {
    const auto found = relocation();
    if (found != m_all.relocations.end()) return found->word;
    std::uint64_t value = 0;
    std::memcpy(&value, m_all.bytes.data() + m_at, m_bytes);
    return value;
  }
  // From now on it is no address.
  void write(std::uint64_t value) {
    const auto found = relocation();
    if (found != m_all.relocations.end()) m_all.relocations.erase(found);
    std::memcpy(m_all.bytes.data() + m_at, &value, m_bytes);
  }

 private:
  [[nodiscard]] std::vector<RecordedRelocation>::iterator relocation() const {
    return std::find_if(m_all.relocations.begin(), m_all.relocations.end(),
                        [&](const RecordedRelocation& each) { return each.at == m_at; });
  }

  RecordedBytes& m_all;
  std::size_t m_at;
  std::size_t m_bytes;
};

// Ones in each byte that is the same in both.
std::uint64_t equal_bytes(std::uint64_t one, std::uint64_t other) {
  std::uint64_t mask = 0;
  for (std::uint64_t byte = 0xff; byte != 0; byte <<= 8) {
    if (((one ^ other) & byte) == 0) mask |= byte;
  }
  return mask;
}

std::uint32_t low_half(std::uint64_t word) {
  return static_cast<std::uint32_t>(word);
}

std::size_t bytes_of_mask(std::uint64_t mask) {
  return static_cast<std::size_t>(__builtin_popcountll(mask)) / 8;
}

std::size_t clear_word(Word first, Word second, Word third) {
  if (third.place() && second.place() == third.place()) return 0;
  const std::uint64_t same = equal_bytes(second.value(), third.value());
  if (same == all_bytes) {
    // Unused bytes of the first call alone may look like an address.
    if (first.place() && !third.place() && low_half(first.value()) == low_half(third.value())) {
      first.write(third.value());
    }
    return 0;
  }
  first.write(first.value() & same);
  second.write(second.value() & same);
  third.write(third.value() & same);
  return bytes_of_mask(~same);
}

std::size_t clear_structure(const ParameterPlace& place, RecordedBytes& first,
                            RecordedBytes& second, RecordedBytes& third) {
  std::size_t cleared = 0;
  for (std::size_t at = place.offset; at < place.offset + place.bytes; at += word_bytes) {
    const std::size_t bytes = std::min(word_bytes, place.offset + place.bytes - at);
    cleared += clear_word({first, at, bytes}, {second, at, bytes}, {third, at, bytes});
  }
  return cleared;
}

}  // namespace

std::size_t clear_unused_bytes(std::array<RecordedSection, recorded_calls>& calls) {
  const Launches second = launches_of(calls[1]);
  const Launches third = launches_of(calls[2]);
  if (!launch_the_same(second, third)) return 0;
  // A first call that launches other kernels stays as it is, and a copy of another stands for it.
  RecordedSection copied = calls[1];
  Launches first = launches_of(calls[0]);
  if (!launch_the_same(first, third)) first = launches_of(copied);
  std::size_t cleared = 0;
  for (std::size_t i = 0; i < third.size(); ++i) {
    for (const ParameterPlace& place : code_book().parameters_of_number(third[i]->function)) {
      const bool is_recorded = place.offset + place.bytes <= third[i]->parameters.bytes.size();
      if (!is_structure(place) || !is_recorded || place.offset % word_bytes != 0) continue;
      cleared +=
          clear_structure(place, first[i]->parameters, second[i]->parameters, third[i]->parameters);
    }
  }
  return cleared;
}

}  // namespace robust_kbench::recorder
