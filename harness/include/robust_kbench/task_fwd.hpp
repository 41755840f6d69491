#pragma once

// Forward declarations for headers that only refer to tasks. robust_kbench/task.hpp includes
// torch's headers, which take seconds to compile.
namespace robust_kbench {

struct Argument;
struct Contract;
struct Cost;
struct Task;

}  // namespace robust_kbench
