#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "recording/recording.hpp"

namespace robust_kbench::recorder {

// A parameter's place in the bytes of all of a function's parameters.
struct ParameterPlace {
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

// The code that the process has loaded, by the driver's handles: images, their functions, their
// variables. It numbers those that a recording uses. Any thread may call it.
class CodeBook {
 public:
  // `image` is what a program gave the driver, also nvcc's wrapper of a container.
  void add_library(void* handle, const void* image);
  void add_module(void* module, void* library);
  void add_kernel(void* handle, void* library, const std::string& name);
  void add_function(void* handle, void* module, const std::string& name);
  void add_function_of_kernel(void* function, void* kernel);
  void add_variable(void* library_or_module, const std::string& name, std::uint64_t address,
                    std::uint64_t bytes);

  // The number of a function that is launched or set. Nothing for an unknown handle.
  std::optional<std::uint32_t> function_number(void* handle);
  std::vector<ParameterPlace> parameters_of(void* handle);
  // Returns the parameters of a numbered function. They are empty before a call by its handle.
  std::vector<ParameterPlace> parameters_of_number(std::uint32_t function);
  // The variable in which an address lies.
  std::optional<RecordedPlace> variable_at(std::uint64_t address);

  // Fills images, functions and variables with what has been numbered.
  void write(Recording& recording);

 private:
  struct Image {
    std::vector<std::uint8_t> bytes;  // empty: neither machine code nor a container
    std::optional<std::uint32_t> number;
  };
  struct Function {
    std::shared_ptr<Image> image;
    std::string name;
    bool is_kernel = false;
    std::optional<std::uint32_t> number;
    std::optional<std::vector<ParameterPlace>> parameters;
  };
  struct Variable {
    std::shared_ptr<Image> image;
    std::string name;
    std::uint64_t bytes = 0;
    std::optional<std::uint32_t> number;
  };

  std::shared_ptr<Function> find(void* handle);
  std::uint32_t number_of(Image& image);

  std::mutex m_mutex;
  std::map<void*, std::shared_ptr<Image>> m_images;  // by library or module
  std::map<void*, std::shared_ptr<Function>> m_functions;
  std::map<std::uint64_t, Variable> m_variables;
  std::vector<std::shared_ptr<Image>> m_used_images;
  std::vector<std::shared_ptr<Function>> m_used_functions;
  std::vector<RecordedVariable> m_used_variables;
};

CodeBook& code_book();

}  // namespace robust_kbench::recorder
