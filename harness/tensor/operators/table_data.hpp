#pragma once

#include <kernel/robust_kbench_abi.h>

#include <c10/core/Allocator.h>

namespace robust_kbench {

// The worker's table, one for the life of the process.
void set_table(const rkb_table& table);
const rkb_table& table();

// Torch's hold on memory of a tensor of the table, whose reference it takes over and gives back
// with its last owner: what torch holds on to, the worker knows as alive.
c10::DataPtr table_data(rkb_tensor* owned, void* data, c10::Device device);
bool is_table_data(const c10::DataPtr& data);

// Bytes that the table allocates. Throws c10::OutOfMemoryError.
rkb_tensor* table_block(std::size_t bytes, rkb_device_type device_type);

}  // namespace robust_kbench
