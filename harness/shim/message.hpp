#pragma once

#include <string>

#include <robust_kbench/shim/message.h>

namespace rkb {

std::string text(Message message);

}  // namespace rkb
