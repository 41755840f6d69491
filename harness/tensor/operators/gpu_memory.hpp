#pragma once

namespace robust_kbench {

// Makes torch take its GPU memory from the worker's table. Call it before torch first uses the GPU.
// Throws c10::Error where torch's part for GPUs, or ours, cannot be loaded.
void take_gpu_memory_from_table();

// True if a torch allocation that begins at `data` is the table's.
bool is_table_memory_of_gpu(const void* data);

// Makes torch work on the stream that the worker's table names. Torch's part for GPUs must be
// loaded. Throws c10::Error where ours cannot be.
void follow_stream_of_table();

}  // namespace robust_kbench
