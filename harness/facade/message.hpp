#pragma once

#include <string>

#include <robust_kbench/facade/message.h>

namespace rkb {

std::string text(Message message);

}  // namespace rkb
