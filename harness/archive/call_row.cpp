#include "archive/call_row.hpp"

#include "core/enum_names.hpp"

namespace robust_kbench {
namespace {

constexpr EnumNames<CallState, 8> states{"state of a call",
                                         {{{CallState::reserved, "reserved"},
                                           {CallState::charged, "charged"},
                                           {CallState::estimated, "estimated"},
                                           {CallState::unknown, "unknown"},
                                           {CallState::overrun, "overrun"},
                                           {CallState::failed, "failed"},
                                           {CallState::not_granted, "not_granted"},
                                           {CallState::unpaid, "unpaid"}}}};

}  // namespace

std::string_view to_string(CallState state) {
  return states.name_of(state);
}

CallState parse_call_state(std::string_view name) {
  return states.parse(name);
}

}  // namespace robust_kbench
