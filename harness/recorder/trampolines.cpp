#include "recorder/trampolines.hpp"

#include <array>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace robust_kbench::recorder {
namespace {

enum ExportIndex : std::size_t {
#define DRIVER_CALL(name) index_of_##name,
#include "recorder/exports.inc"
#undef DRIVER_CALL
  number_of_exports
};
constexpr std::array<const char*, number_of_exports> export_names{
#define DRIVER_CALL(name) #name,
#include "recorder/exports.inc"
#undef DRIVER_CALL
};

// More than the driver has functions, with their versions.
constexpr std::size_t named_slots = 2048;
constexpr std::size_t all_slots = export_names.size() + named_slots;
constexpr std::size_t code_bytes = 16;

std::mutex slot_mutex;
std::map<std::pair<std::string, void*>, std::size_t>& taken_slots() {
  static std::map<std::pair<std::string, void*>, std::size_t> slots;
  return slots;
}

}  // namespace
}  // namespace robust_kbench::recorder

// NOLINTBEGIN: the assembler needs plain names
extern "C" {
__attribute__((visibility("hidden"))) std::uint64_t rkb_recorder_counts[4096];
__attribute__((visibility("hidden"))) void* rkb_recorder_targets[4096];
__attribute__((visibility("hidden"))) extern const char rkb_recorder_code[];
}
// NOLINTEND
static_assert(robust_kbench::recorder::all_slots <= 4096);

// Neither instruction changes a register, so arguments reach the target as they came.
asm(R"(
.text
.set rkb_slot, 0
.macro rkb_code
  .p2align 4
  incq rkb_recorder_counts+8*rkb_slot(%rip)
  jmp *rkb_recorder_targets+8*rkb_slot(%rip)
  .set rkb_slot, rkb_slot+1
.endm
.macro rkb_export name
  .p2align 4
  .globl \name
  .type \name, @function
\name:
  rkb_code
.endm
.p2align 4
.hidden rkb_recorder_code
.globl rkb_recorder_code
rkb_recorder_code:
)");
#define DRIVER_CALL(name) asm("rkb_export " #name);
#include "recorder/exports.inc"
#undef DRIVER_CALL
asm(R"(
.rept 2048
  rkb_code
.endr
.p2align 4
)");

namespace robust_kbench::recorder {

std::size_t export_count() {
  return export_names.size();
}

const char* export_name(std::size_t slot) {
  return export_names.at(slot);
}

void set_target(std::size_t slot, void* target) {
  rkb_recorder_targets[slot] = target;
}

std::uint64_t calls_of(std::size_t slot) {
  return __atomic_load_n(&rkb_recorder_counts[slot], __ATOMIC_RELAXED);
}

std::size_t slot_count() {
  const std::scoped_lock lock(slot_mutex);
  return export_names.size() + taken_slots().size();
}

std::string name_of(std::size_t slot) {
  if (slot < export_names.size()) return export_names.at(slot);
  const std::scoped_lock lock(slot_mutex);
  for (const auto& [key, taken] : taken_slots()) {
    if (taken == slot) return key.first;
  }
  return "";
}

void* counted(std::string_view name, void* target) {
  const std::scoped_lock lock(slot_mutex);
  const std::size_t next = export_names.size() + taken_slots().size();
  const auto [entry, is_new] = taken_slots().try_emplace({std::string(name), target}, next);
  if (is_new && next == all_slots) {
    taken_slots().erase(entry);
    return nullptr;
  }
  if (is_new) rkb_recorder_targets[next] = target;
  return const_cast<char*>(rkb_recorder_code + code_bytes * entry->second);
}

}  // namespace robust_kbench::recorder
