#pragma once

#include <kernel/robust_kbench_abi.h>

#include <c10/core/Allocator.h>

namespace robust_kbench {

// The worker's table, one for the life of the process.
void set_table(const rkb_table& table);
const rkb_table& table();

// Torch's ownership of a table tensor's memory. It takes over the tensor's reference and releases
// it with torch's last owner. So the worker knows which memory torch still holds.
c10::DataPtr table_data(rkb_tensor* owned, void* data, c10::Device device);
bool is_table_data(const c10::DataPtr& data);

// Allocates bytes from the table. Throws c10::OutOfMemoryError.
rkb_tensor* table_block(std::size_t bytes, rkb_device_type device_type);

}  // namespace robust_kbench
