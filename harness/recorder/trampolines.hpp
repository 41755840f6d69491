#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Each function of the driver that the recorder hands out is a slot. Its 16 bytes of code add one
// to a count and jump to a target. So every call is counted, also of functions that the recorder
// knows nothing of. The first slots are the library's exports. Others are taken as programs ask the
// driver for functions by name.
namespace robust_kbench::recorder {

// The number of exports, whose slots are 0 and on.
std::size_t export_count();
const char* export_name(std::size_t slot);

void set_target(std::size_t slot, void* target);
std::uint64_t calls_of(std::size_t slot);
std::size_t slot_count();
std::string name_of(std::size_t slot);

// The code of a slot that counts calls of `name` and jumps to `target`. The same pair has one slot.
// Nothing if all slots are taken.
void* counted(std::string_view name, void* target);

}  // namespace robust_kbench::recorder
