#pragma once

#include <robust_kbench/shim/cuda.h>

#include <torch/extension.h>
