#pragma once

#include <cmath>

#include <torch/extension.h>
