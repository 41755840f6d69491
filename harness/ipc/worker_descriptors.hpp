#pragma once

// The file descriptors that a worker has from its start.
namespace robust_kbench::worker_descriptors {

inline constexpr int channel = 3;
inline constexpr int arena = 4;
inline constexpr int gpu_memory = 5;  // of an arena on a GPU
inline constexpr int recording = 6;   // of a worker that records, and of a replayer

}  // namespace robust_kbench::worker_descriptors
