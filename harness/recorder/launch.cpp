#include "recorder/launch.hpp"

#include <algorithm>
#include <cstring>

#include "recorder/code_book.hpp"
#include "recorder/log.hpp"

namespace robust_kbench::recorder {
namespace {

// The buffer with all parameters, by CU_LAUNCH_PARAM_BUFFER_POINTER and
// CU_LAUNCH_PARAM_BUFFER_SIZE.
std::vector<std::uint8_t> parameters_in(void** extra) {
  const std::uint8_t* buffer = nullptr;
  std::size_t bytes = 0;
  for (; *extra != nullptr; extra += 2) {
    const auto key = reinterpret_cast<std::uintptr_t>(*extra);
    if (key == 1) buffer = static_cast<const std::uint8_t*>(extra[1]);
    if (key == 2) bytes = *static_cast<const std::size_t*>(extra[1]);
  }
  return buffer == nullptr ? std::vector<std::uint8_t>() : std::vector(buffer, buffer + bytes);
}

std::vector<std::uint8_t> parameters_at(const std::vector<ParameterPlace>& places,
                                        void** parameters) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < places.size(); ++i) {
    bytes.resize(std::max(bytes.size(), places[i].offset + places[i].bytes));
    std::memcpy(bytes.data() + places[i].offset, parameters[i], places[i].bytes);
  }
  return bytes;
}

}  // namespace

std::optional<RecordedLaunch> launch_of(const LaunchRequest& request) {
  const auto function = code_book().function_number(request.function);
  if (!function) {
    log().refuse(ReplayObstacle::Kind::image, "a kernel of code that no known call has loaded");
    return std::nullopt;
  }
  RecordedLaunch launch{.function = *function,
                        .grid = request.grid,
                        .block = request.block,
                        .shared_bytes = request.shared_bytes,
                        .attributes = {},
                        .parameters = {}};
  const std::vector<ParameterPlace> places = code_book().parameters_of(request.function);
  if (request.extra != nullptr) {
    launch.parameters.bytes = parameters_in(request.extra);
  } else if (request.parameters != nullptr) {
    launch.parameters.bytes = parameters_at(places, request.parameters);
  }
  return launch;
}

void add_attribute(RecordedLaunch& launch, const driver_types::LaunchAttribute& attribute) {
  if (driver_types::means_nothing(attribute.id)) return;
  const std::size_t bytes = driver_types::meaningful_bytes(attribute.id);
  if (bytes == 0) {
    log().refuse(ReplayObstacle::Kind::unknown_call,
                 "a launch with attribute " + std::to_string(attribute.id));
    return;
  }
  // The value is a union, whose other bytes are left over from anything.
  launch.attributes.push_back(
      {attribute.id, {attribute.value.begin(), attribute.value.begin() + bytes}});
}

}  // namespace robust_kbench::recorder
