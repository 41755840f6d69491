#pragma once

namespace robust_kbench {

// Ends this process's idle OpenMP threads, where an OpenMP runtime is loaded. They would spin on
// the processors for milliseconds after the last parallel region, in the way of a worker that is
// timed. The next parallel region starts them again.
void stop_openmp_threads();

}  // namespace robust_kbench
