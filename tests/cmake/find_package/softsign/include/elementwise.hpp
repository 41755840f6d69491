#pragma once

#include <cstdint>

void softsign(const float* x, float* y, int64_t count);
