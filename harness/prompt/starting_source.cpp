#include "prompt/starting_source.hpp"

#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/text_file.hpp"
#include "prompt/skeleton.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

StartingSource starting_source(const Manifest& manifest, const Task& task, Direction direction,
                               Device device) {
  const auto plain = manifest.plain_kernel({task.name, direction}, device);
  if (!plain) return {skeleton(task, direction, device), false};
  std::optional<std::string> text = read_text(plain->sources.front());
  if (!text) throw UserError("plain kernel " + plain->sources.front() + " cannot be read");
  return {*std::move(text), true};
}

}  // namespace robust_kbench
