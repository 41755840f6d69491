#pragma once

namespace robust_kbench {

// From now on torch takes its memory of the GPU from the worker's table. Before torch first uses
// the GPU. Throws c10::Error where torch's part for GPUs, or ours, cannot be loaded.
void take_gpu_memory_from_table();

// Whether an allocation of torch's that begins there is the table's.
bool is_table_memory_of_gpu(const void* data);

// Torch works on the stream that the worker's table names. Once torch's part for GPUs is loaded;
// throws c10::Error where ours cannot be.
void follow_stream_of_table();

}  // namespace robust_kbench
