#pragma once

namespace robust_kbench {

// True if this process may make namespaces without a user namespace.
bool may_make_namespaces();

// Keeps every program that this process executes from gaining privileges. Throws HarnessError.
void refuse_new_privileges();

// Gives up all of root's capabilities, also for programs that this process executes. Does nothing
// for an ordinary user. Throws HarnessError.
void drop_capabilities();

}  // namespace robust_kbench
