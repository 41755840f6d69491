#pragma once

#include <robust_kbench/facade/cuda.h>

#include <torch/extension.h>
