#include "tensor/operators/gpu_memory.hpp"

#include <dlfcn.h>
#include <filesystem>
#include <mutex>
#include <string>
#include <unordered_map>

#include "tensor/operators/gpu_library.hpp"
#include "tensor/operators/table_data.hpp"
#include "tensor/torch_cuda.hpp"

#include <c10/util/Exception.h>

namespace robust_kbench {
namespace {

std::mutex blocks_mutex;
std::unordered_map<const void*, rkb_tensor*> blocks;  // by their first byte

void* allocate(std::size_t bytes, int, CUstream_st*) {
  rkb_tensor* block = table_block(bytes, RKB_CUDA);
  const std::scoped_lock lock(blocks_mutex);
  blocks[block->data] = block;
  return block->data;
}

void free(void* data, std::size_t, int, CUstream_st*) {
  const std::scoped_lock lock(blocks_mutex);
  const auto block = blocks.find(data);
  if (block == blocks.end()) return;
  table().release(block->second);
  blocks.erase(block);
}

// The path of the library for CUDA, which lies beside this one.
std::string library_path() {
  Dl_info here{};
  dladdr(reinterpret_cast<const void*>(&library_path), &here);
  return std::filesystem::path(here.dli_fname).parent_path() / gpu_library_name;
}

void* symbol(const char* name) {
  static void* const library = dlopen(library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
  TORCH_CHECK(library != nullptr,
              "torch cannot take memory and stream of the GPU from the worker: ", dlerror(),
              "; build the target rkb_operators_cuda, which needs CUDA's headers and a "
              "torch with CUDA");
  void* found = dlsym(library, name);
  TORCH_CHECK(found != nullptr, library_path(), " does not export ", name);
  return found;
}

}  // namespace

void take_gpu_memory_from_table() {
  load_torch_cuda();
  reinterpret_cast<decltype(&rkb_gpu_replace_allocator)>(symbol("rkb_gpu_replace_allocator"))(
      &allocate, &free);
}

bool is_table_memory_of_gpu(const void* data) {
  const std::scoped_lock lock(blocks_mutex);
  return blocks.count(data) > 0;
}

void follow_stream_of_table() {
  static const auto use_stream =
      reinterpret_cast<decltype(&rkb_gpu_use_stream)>(symbol("rkb_gpu_use_stream"));
  use_stream(static_cast<CUstream_st*>(table().current_stream(0)));
}

}  // namespace robust_kbench
