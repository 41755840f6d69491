#include "device/cuda_unwritten_memory.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "device/cuda_driver.hpp"
#include "device/gpu_facts.hpp"

namespace robust_kbench {
namespace {

constexpr unsigned block_threads = 1024;

// A block of 1024 threads can have 64 registers for each, which are all of a multiprocessor. Some
// of them hold addresses.
constexpr int filled_quads = 14;  // groups of four registers

// Attributes of cuda.h: CU_DEVICE_ATTRIBUTE_...
constexpr int threads_per_multiprocessor = 39;
constexpr int shared_bytes_of_a_block = 97;  // the most that a kernel can ask for
// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
constexpr int dynamic_shared_bytes = 8;

// Hashes %word from %place and %key. A bit of the hash decides whether it becomes a NaN or a number
// of 2^85 to 2^86.
constexpr const char* spoiling_word = R"(
  mad.lo.u32 %hash, %place, 0x9e3779b1, %key;
  shr.u32 %bit, %hash, 15;
  xor.b32 %hash, %hash, %bit;
  mul.lo.u32 %hash, %hash, 0x2c1b3c6d;
  shr.u32 %bit, %hash, 12;
  xor.b32 %hash, %hash, %bit;
  and.b32 %bit, %hash, 0x00400000;
  setp.ne.u32 %nan, %bit, 0;
  and.b32 %number, %hash, 0x807fffff;
  or.b32 %number, %number, 0x6a000000;
  and.b32 %word, %hash, 0x8007ffff;
  or.b32 %word, %word, 0x7ff80000;
  selp.b32 %word, %word, %number, %nan;
)";

constexpr const char* registers = R"(
  .reg .pred %nan, %done;
  .reg .b32 %hash, %bit, %number, %word, %key, %place, %end, %step;
  .reg .b32 %thread, %threads, %block;
  mov.u32 %thread, %tid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %block, %ctaid.x;
)";

// Loads the thread's 16 bytes of shared memory at %to into registers, again and again, and stores
// all of them afterwards. So they have to be different registers.
std::string fill_registers() {
  std::string declared;
  std::string loads;
  std::string stores;
  for (int i = 0; i < filled_quads; ++i) {
    const std::string n = std::to_string(i);
    const std::string quad = "%a" + n + ", %b" + n + ", %c" + n + ", %d" + n;
    declared += "  .reg .b32 " + quad + ";\n";
    loads += "  ld.volatile.shared.v4.u32 {" + quad + "}, [%to];\n";
    stores += "  st.volatile.shared.v4.u32 [%to], {" + quad + "};\n";
  }
  return declared + loads + stores;
}

// Reads and writes are volatile, since a compiler would remove those without a use.
std::string filling_source() {
  return std::string(R"(
.version 6.0
.target sm_60
.address_size 64
.extern .shared .align 16 .b8 memory[];
.visible .entry fill_multiprocessor(.param .u32 of_call, .param .u32 bytes)
.maxntid 1024, 1, 1
{)") + registers +
         R"(
  .reg .b32 %base, %to;
  ld.param.u32 %key, [of_call];
  ld.param.u32 %end, [bytes];
  mad.lo.u32 %key, %block, 0x85ebca6b, %key;
  mov.u32 %base, memory;
  shl.b32 %place, %thread, 2;
  shl.b32 %step, %threads, 2;
next:
  setp.ge.u32 %done, %place, %end;
  @%done bra end;)" +
         spoiling_word + R"(
  add.u32 %to, %base, %place;
  st.volatile.shared.u32 [%to], %word;
  add.u32 %place, %place, %step;
  bra next;
end:
  bar.sync 0;
  shl.b32 %to, %thread, 4;
  add.u32 %to, %base, %to;
)" + fill_registers() +
         R"(  ret;
}
.visible .entry fill_local(.param .u32 of_call)
{
  .local .align 16 .b8 array[512];)" +
         registers + R"(
  .reg .b64 %to;
  ld.param.u32 %key, [of_call];
  mad.lo.u32 %thread, %block, %threads, %thread;
  mad.lo.u32 %key, %thread, 0x85ebca6b, %key;
  mov.u64 %to, array;
  cvta.local.u64 %to, %to;
  mov.u32 %place, 0;
next:)" + spoiling_word +
         R"(
  st.volatile.u32 [%to], %word;
  add.u64 %to, %to, 4;
  add.u32 %place, %place, 4;
  setp.ge.u32 %done, %place, 512;
  @!%done bra next;
  ret;
}
)";
}

unsigned attribute(int which) {
  int value = 0;
  cuda_driver().check(cuda_driver().get_attribute(&value, which, 0), "cuDeviceGetAttribute");
  return static_cast<unsigned>(value);
}

}  // namespace

CudaUnwrittenMemory::CudaUnwrittenMemory()
    : m_multiprocessors(static_cast<unsigned>(gpu_facts().multiprocessors)),
      m_blocks_per_multiprocessor(
          std::max(1U, attribute(threads_per_multiprocessor) / block_threads)),
      m_shared_bytes(attribute(shared_bytes_of_a_block)) {
  const CudaDriver& driver = cuda_driver();
  void* module = nullptr;
  driver.check(driver.load_module(&module, filling_source().c_str()), "cuModuleLoadData");
  driver.check(driver.get_function(&m_multiprocessor, module, "fill_multiprocessor"),
               "cuModuleGetFunction");
  driver.check(driver.get_function(&m_local, module, "fill_local"), "cuModuleGetFunction");
  driver.check(driver.set_function_attribute(m_multiprocessor, dynamic_shared_bytes,
                                             static_cast<int>(m_shared_bytes)),
               "cuFuncSetAttribute");
}

void CudaUnwrittenMemory::fill_multiprocessors(std::uint32_t key) const {
  const CudaDriver& driver = cuda_driver();
  std::uint32_t bytes = m_shared_bytes;
  std::array<void*, 2> parameters{&key, &bytes};
  driver.check(driver.launch(m_multiprocessor, m_multiprocessors, 1, 1, block_threads, 1, 1,
                             m_shared_bytes, nullptr, parameters.data(), nullptr),
               "cuLaunchKernel");
}

void CudaUnwrittenMemory::fill_local(std::uint32_t key) const {
  const CudaDriver& driver = cuda_driver();
  std::array<void*, 1> parameters{&key};
  driver.check(driver.launch(m_local, m_multiprocessors * m_blocks_per_multiprocessor, 1, 1,
                             block_threads, 1, 1, 0, nullptr, parameters.data(), nullptr),
               "cuLaunchKernel");
}

}  // namespace robust_kbench
