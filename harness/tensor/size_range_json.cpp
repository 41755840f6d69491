#include "tensor/size_range_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

void to_json(nlohmann::json& json, const SizeRange& size) {
  json = {{"parameter", size.parameter},
          {"least", size.least},
          {"most", size.most},
          {"multiple", size.multiple}};
}

}  // namespace robust_kbench
