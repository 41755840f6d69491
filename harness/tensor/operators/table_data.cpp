#include "tensor/operators/table_data.hpp"

#include <c10/util/Exception.h>

namespace robust_kbench {
namespace {

const rkb_table* the_table = nullptr;

void give_back(void* tensor) {
  the_table->release(static_cast<rkb_tensor*>(tensor));
}

}  // namespace

void set_table(const rkb_table& table) {
  the_table = &table;
}

const rkb_table& table() {
  return *the_table;
}

c10::DataPtr table_data(rkb_tensor* owned, void* data, c10::Device device) {
  return {data, owned, &give_back, device};
}

bool is_table_data(const c10::DataPtr& data) {
  return data.get_deleter() == &give_back;
}

rkb_tensor* table_block(std::size_t bytes, rkb_device_type device_type) {
  const auto size = static_cast<std::int64_t>(bytes);
  const std::int64_t stride = 1;
  const std::int32_t index = device_type == RKB_CUDA ? 0 : -1;
  rkb_tensor* block = the_table->empty_strided(&size, &stride, 1, RKB_UINT8, device_type, index);
  TORCH_CHECK_WITH(OutOfMemoryError, block != nullptr, "out of memory: no room for ", bytes,
                   " bytes of a torch operator");
  return block;
}

}  // namespace robust_kbench
