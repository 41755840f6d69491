#pragma once

namespace robust_kbench {

// Ends this process's idle OpenMP threads if an OpenMP runtime is loaded. After a parallel region
// they would spin on the processors for milliseconds, and disturb a worker that is timed. The next
// parallel region starts them again.
void stop_openmp_threads();

}  // namespace robust_kbench
