#pragma once

// Names of robust_kbench/task.hpp for headers that only refer to tasks. That header brings torch's
// along, which take seconds to compile.
namespace robust_kbench {

struct Argument;
struct Contract;
struct Cost;
struct Task;

}  // namespace robust_kbench
