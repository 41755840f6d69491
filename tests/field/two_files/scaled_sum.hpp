#pragma once

// The sum of a[i] * b[i].
float scaled_sum(const float* a, const float* b, long count);
