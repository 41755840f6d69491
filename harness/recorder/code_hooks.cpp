#include <cstddef>
#include <cstdint>

#include "recorder/code_book.hpp"
#include "recorder/hooks.hpp"
#include "recorder/log.hpp"
#include "recorder/real_driver.hpp"

// Code that is loaded, and what is found in it.
namespace robust_kbench::recorder {
namespace {

int library_load_data(void** library, const void* code, void* options, void* option_values,
                      unsigned option_count, void* library_options, void* library_values,
                      unsigned library_option_count) {
  static const auto next = real<decltype(&library_load_data)>("cuLibraryLoadData");
  const int result = next(library, code, options, option_values, option_count, library_options,
                          library_values, library_option_count);
  if (result == 0) code_book().add_library(*library, code);
  return result;
}

int library_get_kernel(void** kernel, void* library, const char* name) {
  static const auto next = real<decltype(&library_get_kernel)>("cuLibraryGetKernel");
  const int result = next(kernel, library, name);
  if (result == 0) code_book().add_kernel(*kernel, library, name);
  return result;
}

int library_get_global(std::uint64_t* address, std::size_t* bytes, void* library,
                       const char* name) {
  static const auto next = real<decltype(&library_get_global)>("cuLibraryGetGlobal");
  std::uint64_t found = 0;
  std::size_t size = 0;
  const int result = next(&found, &size, library, name);
  if (result != 0) return result;
  code_book().add_variable(library, name, found, size);
  if (address != nullptr) *address = found;
  if (bytes != nullptr) *bytes = size;
  return result;
}

int library_get_module(void** module, void* library) {
  static const auto next = real<decltype(&library_get_module)>("cuLibraryGetModule");
  const int result = next(module, library);
  if (result == 0) code_book().add_module(*module, library);
  return result;
}

int kernel_get_function(void** function, void* kernel) {
  static const auto next = real<decltype(&kernel_get_function)>("cuKernelGetFunction");
  const int result = next(function, kernel);
  if (result == 0) code_book().add_function_of_kernel(*function, kernel);
  return result;
}

int module_load_data(void** module, const void* image) {
  static const auto next = real<decltype(&module_load_data)>("cuModuleLoadData");
  const int result = next(module, image);
  if (result == 0) code_book().add_library(*module, image);
  return result;
}

int module_load_data_ex(void** module, const void* image, unsigned option_count, void* options,
                        void* values) {
  static const auto next = real<decltype(&module_load_data_ex)>("cuModuleLoadDataEx");
  const int result = next(module, image, option_count, options, values);
  if (result == 0) code_book().add_library(*module, image);
  return result;
}

int module_load_container(void** module, const void* image) {
  static const auto next = real<decltype(&module_load_container)>("cuModuleLoadFatBinary");
  const int result = next(module, image);
  if (result == 0) code_book().add_library(*module, image);
  return result;
}

int module_get_function(void** function, void* module, const char* name) {
  static const auto next = real<decltype(&module_get_function)>("cuModuleGetFunction");
  const int result = next(function, module, name);
  if (result == 0) code_book().add_function(*function, module, name);
  return result;
}

int module_get_global(std::uint64_t* address, std::size_t* bytes, void* module, const char* name) {
  static const auto next = real<decltype(&module_get_global)>("cuModuleGetGlobal_v2");
  std::uint64_t found = 0;
  std::size_t size = 0;
  const int result = next(&found, &size, module, name);
  if (result != 0) return result;
  code_book().add_variable(module, name, found, size);
  if (address != nullptr) *address = found;
  if (bytes != nullptr) *bytes = size;
  return result;
}

void record_attribute(void* function, int attribute, int value) {
  if (!log().is_on()) return;
  if (const auto number = code_book().function_number(function)) {
    log().add({}, RecordedFunctionAttribute{.function = *number,
                                            .attribute = static_cast<std::uint32_t>(attribute),
                                            .value = value});
  }
}

int function_set_attribute(void* function, int attribute, int value) {
  static const auto next = real<decltype(&function_set_attribute)>("cuFuncSetAttribute");
  const int result = next(function, attribute, value);
  if (result == 0) record_attribute(function, attribute, value);
  return result;
}

int kernel_set_attribute(int attribute, int value, void* kernel, int device) {
  static const auto next = real<decltype(&kernel_set_attribute)>("cuKernelSetAttribute");
  const int result = next(attribute, value, kernel, device);
  if (result == 0) record_attribute(kernel, attribute, value);
  return result;
}

}  // namespace

std::vector<Hook> code_hooks() {
  return {hook("cuLibraryLoadData", &library_load_data),
          hook("cuLibraryGetKernel", &library_get_kernel),
          hook("cuLibraryGetGlobal", &library_get_global),
          hook("cuLibraryGetModule", &library_get_module),
          hook("cuKernelGetFunction", &kernel_get_function),
          hook("cuModuleLoadData", &module_load_data),
          hook("cuModuleLoadDataEx", &module_load_data_ex),
          hook("cuModuleLoadFatBinary", &module_load_container),
          hook("cuModuleGetFunction", &module_get_function),
          hook("cuModuleGetGlobal_v2", &module_get_global, 3020),
          hook("cuFuncSetAttribute", &function_set_attribute),
          hook("cuKernelSetAttribute", &kernel_set_attribute)};
}

}  // namespace robust_kbench::recorder
