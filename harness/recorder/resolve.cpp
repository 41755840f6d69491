#include "recorder/resolve.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "recorder/code_book.hpp"
#include "recorder/real_driver.hpp"

namespace robust_kbench::recorder {
namespace {

using Kind = ReplayObstacle::Kind;

// An address so far behind a tensor still means that tensor. It is the length of a guard zone.
constexpr std::uint64_t behind_bytes = 512;

// The driver's addresses lie in these bounds. Smaller numbers are sizes.
constexpr std::uint64_t lowest_address = std::uint64_t{1} << 32;
constexpr std::uint64_t highest_address = std::uint64_t{1} << 57;

std::optional<RecordedPlace> place_among(const std::vector<RecordedMemory>& memories,
                                         RecordedPlace::Kind kind, std::uint64_t address,
                                         std::uint64_t beyond) {
  for (std::size_t i = 0; i < memories.size(); ++i) {
    const RecordedMemory& memory = memories[i];
    if (address < memory.address || address - memory.address >= memory.bytes + beyond) continue;
    return RecordedPlace{kind, static_cast<std::uint32_t>(i), address - memory.address};
  }
  return std::nullopt;
}

// The driver's word for the memory at an address that it knows, or null.
const char* memory_kind(std::uint64_t address) {
  using Ask = int (*)(void*, int, std::uint64_t);
  constexpr int memory_type = 2;  // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
  constexpr int is_managed = 8;   // CU_POINTER_ATTRIBUTE_IS_MANAGED
  static const auto ask = real<Ask>("cuPointerGetAttribute");
  std::uint32_t type = 0;
  if (ask(&type, memory_type, address) != 0) return nullptr;
  std::uint32_t managed = 0;
  if (ask(&managed, is_managed, address) == 0 && managed != 0) return "managed memory";
  return type == 1 ? "pinned memory of the host" : "memory of the GPU from outside of a call";
}

}  // namespace

Resolver::Resolver(SectionMemory memory, Scratch& scratch, KeptMemory* kept)
    : m_memory(std::move(memory)), m_scratch(scratch), m_kept(kept) {}

void Resolver::resolve(RecordedSection& section) {
  for (const RecordedMemory& memory : m_memory.arguments) {
    section.argument_bytes.push_back(memory.bytes);
  }
  for (const RecordedMemory& memory : m_memory.allocations) {
    section.allocation_bytes.push_back(memory.bytes);
  }
  for (RecordedOperation& operation : section.operations) {
    std::visit([this](auto& action) { resolve_work(action); }, operation.action);
  }
}

bool Resolver::in_arena(std::uint64_t address) const {
  return std::any_of(m_memory.arena.begin(), m_memory.arena.end(), [&](const RecordedMemory& all) {
    return address >= all.address && address - all.address < all.bytes;
  });
}

std::optional<RecordedPlace> Resolver::place_of(std::uint64_t address) {
  for (const std::uint64_t beyond : {std::uint64_t{0}, behind_bytes}) {
    if (auto place =
            place_among(m_memory.arguments, RecordedPlace::Kind::argument, address, beyond)) {
      return place;
    }
    if (auto place =
            place_among(m_memory.allocations, RecordedPlace::Kind::allocation, address, beyond)) {
      return place;
    }
  }
  if (const auto offset = m_scratch.offset_of(address)) {
    return RecordedPlace{RecordedPlace::Kind::scratch, 0, *offset};
  }
  if (m_kept != nullptr) {
    if (const auto place = m_kept->place_of(address, m_scratch)) return place;
  }
  return code_book().variable_at(address);
}

void Resolver::refuse_foreign(std::uint64_t address, const std::string& operand) {
  if (in_arena(address)) {
    m_obstacles.emplace_back(Kind::earlier_memory, operand);
  } else if (const char* kind = memory_kind(address)) {
    m_obstacles.emplace_back(Kind::foreign_memory, operand + " in " + kind);
  } else if (operand != "a parameter") {
    m_obstacles.emplace_back(Kind::foreign_memory, operand);
  }
}

void Resolver::resolve_place(RecordedPlace& place, const char* operand) {
  const std::uint64_t address = place.offset;
  if (const auto found = place_of(address)) {
    place = *found;
    return;
  }
  refuse_foreign(address, operand);
  place = {RecordedPlace::Kind::scratch, 0, 0};  // with an obstacle nobody replays it
}

void Resolver::resolve_bytes(RecordedBytes& bytes, bool ask_driver) {
  constexpr std::uint64_t none = 0;
  for (std::size_t at = 0; at + sizeof none <= bytes.bytes.size(); at += sizeof none) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.bytes.data() + at, sizeof word);
    if (word < lowest_address || word >= highest_address) continue;
    if (const auto place = place_of(word)) {
      std::memcpy(bytes.bytes.data() + at, &none, sizeof none);
      bytes.relocations.push_back({static_cast<std::uint32_t>(at), *place, word});
    } else if (ask_driver || in_arena(word)) {
      refuse_foreign(word, "a parameter");
    }
  }
}

void Resolver::resolve_work(RecordedLaunch& launch) {
  resolve_bytes(launch.parameters, true);
}

void Resolver::resolve_work(RecordedFill& fill) {
  resolve_place(fill.to, "a fill");
}

void Resolver::resolve_work(RecordedCopy& copy) {
  resolve_place(copy.to, "a copy's destination");
  resolve_place(copy.from, "a copy's source");
}

void Resolver::resolve_work(RecordedUpload& upload) {
  resolve_place(upload.to, "an upload");
  // Data may be anything. Only few words of it are asked about.
  constexpr std::size_t most_asked = 4096;
  resolve_bytes(upload.content, upload.content.bytes.size() <= most_asked);
}

void Resolver::resolve_work(RecordedGraphLaunch& launch) {
  for (RecordedNode& node : launch.nodes) {
    std::visit([this](auto& work) { resolve_work(work); }, node.work);
  }
}

}  // namespace robust_kbench::recorder
