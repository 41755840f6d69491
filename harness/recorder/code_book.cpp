#include "recorder/code_book.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "recorder/real_driver.hpp"
#include "recording/image.hpp"

namespace robust_kbench::recorder {
namespace {

// nvcc's wrapper of a container, by fatbinary_section.h.
struct ContainerWrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const void* container;
};
constexpr std::uint32_t wrapper_magic = 0x466243b1;

const void* unwrapped(const void* image) {
  ContainerWrapper wrapper;
  std::memcpy(&wrapper, image, sizeof(std::uint32_t));
  if (wrapper.magic != wrapper_magic) return image;
  std::memcpy(&wrapper, image, sizeof wrapper);
  return wrapper.container;
}

// The copy of other code, such as PTX as a text, is long enough to tell what it is.
std::vector<std::uint8_t> copy_of_image(const void* image) {
  const void* code = unwrapped(image);
  const std::size_t bytes = image_bytes(code).value_or(sizeof(std::uint32_t));
  const auto* begin = static_cast<const std::uint8_t*>(code);
  return {begin, begin + bytes};
}

std::vector<ParameterPlace> ask_parameters(void* handle, bool is_kernel) {
  using Ask = int (*)(void*, std::size_t, std::size_t*, std::size_t*);
  static const auto of_kernel = real<Ask>("cuKernelGetParamInfo");
  static const auto of_function = real<Ask>("cuFuncGetParamInfo");
  std::vector<ParameterPlace> places;
  ParameterPlace place;
  while ((is_kernel ? of_kernel : of_function)(handle, places.size(), &place.offset,
                                               &place.bytes) == 0) {
    places.push_back(place);
  }
  return places;
}

}  // namespace

CodeBook& code_book() {
  static CodeBook book;
  return book;
}

void CodeBook::add_library(void* handle, const void* image) {
  auto copied = std::make_shared<Image>(Image{copy_of_image(image), std::nullopt});
  const std::scoped_lock lock(m_mutex);
  m_images[handle] = std::move(copied);
}

void CodeBook::add_module(void* module, void* library) {
  const std::scoped_lock lock(m_mutex);
  const auto found = m_images.find(library);
  if (found != m_images.end()) m_images[module] = found->second;
}

void CodeBook::add_kernel(void* handle, void* library, const std::string& name) {
  const std::scoped_lock lock(m_mutex);
  const auto image = m_images.find(library);
  if (image == m_images.end()) return;
  std::shared_ptr<Function>& known = m_functions[handle];
  if (known && known->image == image->second && known->name == name) return;
  known = std::make_shared<Function>(Function{image->second, name, true, {}, {}});
}

void CodeBook::add_function(void* handle, void* module, const std::string& name) {
  const std::scoped_lock lock(m_mutex);
  const auto image = m_images.find(module);
  if (image == m_images.end()) return;
  std::shared_ptr<Function>& known = m_functions[handle];
  if (known && known->image == image->second && known->name == name) return;
  known = std::make_shared<Function>(Function{image->second, name, false, {}, {}});
}

void CodeBook::add_function_of_kernel(void* function, void* kernel) {
  const std::scoped_lock lock(m_mutex);
  const auto found = m_functions.find(kernel);
  // The kernel's own entry is shared, so both have one number.
  if (found != m_functions.end()) m_functions[function] = found->second;
}

void CodeBook::add_variable(void* library_or_module, const std::string& name, std::uint64_t address,
                            std::uint64_t bytes) {
  const std::scoped_lock lock(m_mutex);
  const auto image = m_images.find(library_or_module);
  if (image == m_images.end()) return;
  Variable& known = m_variables[address];
  if (known.image == image->second && known.name == name) return;
  known = {image->second, name, bytes, std::nullopt};
}

// A graph's kernel node names a function that no call has returned. It is compared with those of
// all kernels.
std::shared_ptr<CodeBook::Function> CodeBook::find(void* handle) {
  using GetFunction = int (*)(void**, void*);
  static const auto get_function = real<GetFunction>("cuKernelGetFunction");
  const auto found = m_functions.find(handle);
  if (found != m_functions.end()) return found->second;
  for (const auto& [kernel, function] : m_functions) {
    void* same = nullptr;
    if (!function->is_kernel || get_function(&same, kernel) != 0 || same != handle) continue;
    const std::shared_ptr<Function> shared = function;
    return m_functions[handle] = shared;
  }
  return nullptr;
}

std::uint32_t CodeBook::number_of(Image& image) {
  if (!image.number) {
    image.number = static_cast<std::uint32_t>(m_used_images.size());
    for (const auto& [handle, known] : m_images) {
      if (known.get() != &image) continue;
      m_used_images.push_back(known);
      break;
    }
  }
  return *image.number;
}

std::optional<std::uint32_t> CodeBook::function_number(void* handle) {
  const std::scoped_lock lock(m_mutex);
  const std::shared_ptr<Function> function = find(handle);
  if (function == nullptr) return std::nullopt;
  if (!function->number) {
    number_of(*function->image);
    function->number = static_cast<std::uint32_t>(m_used_functions.size());
    m_used_functions.push_back(function);
  }
  return function->number;
}

std::vector<ParameterPlace> CodeBook::parameters_of(void* handle) {
  const std::scoped_lock lock(m_mutex);
  const std::shared_ptr<Function> function = find(handle);
  if (function == nullptr) return {};
  if (!function->parameters) {
    // The entry of a kernel is shared with functions made of it, which the other call knows.
    std::vector<ParameterPlace> places = ask_parameters(handle, function->is_kernel);
    if (places.empty()) places = ask_parameters(handle, !function->is_kernel);
    function->parameters = std::move(places);
  }
  return *function->parameters;
}

std::vector<ParameterPlace> CodeBook::parameters_of_number(std::uint32_t function) {
  const std::scoped_lock lock(m_mutex);
  return m_used_functions.at(function)->parameters.value_or(std::vector<ParameterPlace>());
}

std::optional<RecordedPlace> CodeBook::variable_at(std::uint64_t address) {
  const std::scoped_lock lock(m_mutex);
  auto found = m_variables.upper_bound(address);
  if (found == m_variables.begin()) return std::nullopt;
  --found;
  Variable& variable = found->second;
  const std::uint64_t offset = address - found->first;
  if (offset >= variable.bytes) return std::nullopt;
  if (!variable.number) {
    variable.number = static_cast<std::uint32_t>(m_used_variables.size());
    m_used_variables.push_back({number_of(*variable.image), variable.name, variable.bytes});
  }
  return RecordedPlace{RecordedPlace::Kind::variable, *variable.number, offset};
}

void CodeBook::write(Recording& recording) {
  const std::scoped_lock lock(m_mutex);
  for (const std::shared_ptr<Image>& image : m_used_images) {
    MachineCode code = without_ptx(image->bytes);
    if (!code.missing.empty()) {
      recording.obstacles.push_back({ReplayObstacle::Kind::image, 0, code.missing});
    }
    recording.images.push_back(std::move(code.image));
  }
  for (const std::shared_ptr<Function>& function : m_used_functions) {
    recording.functions.push_back({*function->image->number, function->name});
  }
  recording.variables = m_used_variables;
}

}  // namespace robust_kbench::recorder
