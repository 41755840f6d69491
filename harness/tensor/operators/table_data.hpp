#pragma once

#include <kernel/robust_kbench_abi.h>

#include <c10/core/Allocator.h>

namespace robust_kbench {

// The worker's table, one for the life of the process.
void set_table(const rkb_table& table);
const rkb_table& table();

// Torch's hold on the memory of a table tensor. It takes over the tensor's reference and returns it
// with its last owner. So the worker knows that whatever torch holds is alive.
c10::DataPtr table_data(rkb_tensor* owned, void* data, c10::Device device);
bool is_table_data(const c10::DataPtr& data);

// Allocates bytes from the table. Throws c10::OutOfMemoryError.
rkb_tensor* table_block(std::size_t bytes, rkb_device_type device_type);

}  // namespace robust_kbench
