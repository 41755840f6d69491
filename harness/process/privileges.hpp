#pragma once

namespace robust_kbench {

// True if this process may make namespaces without one of users.
bool may_make_namespaces();

// No program that this process becomes has more privileges than this one. Throws HarnessError.
void refuse_new_privileges();

// Gives up all of root's capabilities, also for programs that this process becomes. Nothing happens
// to an ordinary user. Throws HarnessError.
void drop_capabilities();

}  // namespace robust_kbench
