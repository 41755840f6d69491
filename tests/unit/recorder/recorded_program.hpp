#pragma once

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

#include "device/driver_types.hpp"
#include "recording/recorder_control.hpp"

namespace robust_kbench {

// A program with the recorder's library in front of a fake driver. It calls the driver as the CUDA
// runtime does: by names that it asks cuGetProcAddress for.
class RecordedProgram {
 public:
  static RecordedProgram& instance() {
    static RecordedProgram program;
    return program;
  }

  // The driver's function, with the version that CUDA 13 asks for.
  template <typename... Arguments>
  int call(const char* name, Arguments... arguments) {
    return reinterpret_cast<int (*)(Arguments...)>(found(name, 0))(arguments...);
  }
  // The variant whose default stream is the thread's.
  template <typename... Arguments>
  int call_per_thread(const char* name, Arguments... arguments) {
    return reinterpret_cast<int (*)(Arguments...)>(found(name, 2))(arguments...);
  }
  // The exported function.
  template <typename... Arguments>
  int call_export(const char* name, Arguments... arguments) {
    return reinterpret_cast<int (*)(Arguments...)>(dlsym(m_library, name))(arguments...);
  }

  RecorderControl& control() { return *m_control; }
  // A kernel of an image that has been loaded before.
  void* kernel(const char* name) {
    void* kernel = nullptr;
    call("cuLibraryGetKernel", &kernel, m_code, name);
    return kernel;
  }
  [[nodiscard]] void* code() const { return m_code; }
  // Launches a kernel with two addresses and a number.
  int launch(void* kernel, std::uint64_t first, std::uint64_t second, void* stream = nullptr) {
    std::uint32_t number = 5;
    void* parameters[] = {&first, &second, &number};
    return call("cuLaunchKernel", kernel, 4U, 1U, 1U, 256U, 1U, 1U, 0U, stream,
                static_cast<void**>(parameters), static_cast<void**>(nullptr));
  }

 private:
  RecordedProgram() {
    setenv("RKB_DRIVER", FAKE_DRIVER, 1);
    m_library = dlopen(RECORDER, RTLD_NOW);
    m_control =
        reinterpret_cast<RecorderControlFunction>(dlsym(m_library, recorder_control_symbol))();
    call("cuLibraryLoadData", &m_code, static_cast<const void*>(image.data()),
         static_cast<void*>(nullptr), static_cast<void*>(nullptr), 0U, static_cast<void*>(nullptr),
         static_cast<void*>(nullptr), 0U);
  }

  void* found(const char* name, std::uint64_t flags) {
    using Lookup = int (*)(const char*, void**, int, std::uint64_t, int*);
    void* function = nullptr;
    reinterpret_cast<Lookup>(dlsym(m_library, "cuGetProcAddress_v2"))(name, &function, 13000, flags,
                                                                      nullptr);
    return function;
  }

  // A container with one entry of machine code.
  inline static const std::vector<std::uint8_t> image = [] {
    std::vector<std::uint8_t> bytes{0x50, 0xED, 0x55, 0xBA, 1, 0, 16, 0, 24, 0, 0, 0, 0, 0,
                                    0,    0,    2,    0,    1, 1, 16, 0, 0,  0, 8, 0, 0, 0,
                                    0,    0,    0,    0,    1, 2, 3,  4, 5,  6, 7, 8};
    return bytes;
  }();
  void* m_library = nullptr;
  void* m_code = nullptr;
  RecorderControl* m_control = nullptr;
};

}  // namespace robust_kbench
