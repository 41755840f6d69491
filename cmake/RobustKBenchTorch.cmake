include_guard(GLOBAL)

set(RobustKBench_PYTHON "" CACHE FILEPATH
    "Python whose torch is used; default: python3 if it has one, else RobustKBench's own .venv")

# 2.9 is the first release with the new C++11 ABI in the builds for every platform. It is also the
# first with every operator and AOTInductor interface that we call.
set(_robust_kbench_least_torch 2.9)

#[[
robust_kbench_find_torch()

Defines RobustKBench::torch: headers and CPU libraries (torch_cpu, c10) of LibTorch. Looks in
Torch_DIR, then in the torch of RobustKBench_PYTHON. Where that is not set, it looks in python3's
and then in that of RobustKBench_DEFAULT_PYTHON. Torch is not imported. Nor is its own package
loaded, which would change CUDA settings of the caller and link every CUDA library of the wheel.
]]
function(robust_kbench_find_torch)
  if(TARGET RobustKBench::torch)
    return()
  endif()
  _robust_kbench_locate_torch(root python)
  _robust_kbench_check_torch(${root} version)
  message(STATUS "RobustKBench: torch ${version} in ${root}")
  set_property(GLOBAL PROPERTY ROBUST_KBENCH_PYTHON "${python}")
  set_property(GLOBAL PROPERTY ROBUST_KBENCH_TORCH_VERSION "${version}")

  add_library(RobustKBench::torch INTERFACE IMPORTED GLOBAL)
  # Searched after the system's directories, since it contains copies of other libraries' headers,
  # such as fmt's.
  target_compile_options(RobustKBench::torch INTERFACE "SHELL:-idirafter ${root}/include")
  set_property(GLOBAL PROPERTY ROBUST_KBENCH_TORCH_INCLUDE ${root}/include)
  set_property(GLOBAL PROPERTY ROBUST_KBENCH_TORCH_LIBRARIES ${root}/lib/libtorch_cpu.so
                                                             ${root}/lib/libc10.so)
  # Only a build of torch for CUDA has these files.
  if(EXISTS ${root}/lib/libtorch_cuda.so
     AND EXISTS ${root}/include/c10/cuda/impl/cuda_cmake_macros.h)
    set_property(GLOBAL PROPERTY ROBUST_KBENCH_TORCH_CUDA_LIBRARIES ${root}/lib/libtorch_cuda.so
                                                                    ${root}/lib/libc10_cuda.so)
  endif()
  # A CUDA build of libtorch_cpu needs libcudart and libcupti, which their own wheels hold.
  file(GLOB libraries ${root}/../nvidia/*/lib)
  list(PREPEND libraries ${root}/lib)
  set_property(GLOBAL PROPERTY ROBUST_KBENCH_TORCH_LIBRARY_DIRECTORIES ${libraries})
  list(TRANSFORM libraries PREPEND -Wl,-rpath, OUTPUT_VARIABLE run_paths)
  list(TRANSFORM libraries PREPEND -Wl,-rpath-link, OUTPUT_VARIABLE link_paths)
  target_link_options(RobustKBench::torch INTERFACE ${run_paths} ${link_paths})
  get_property(linked GLOBAL PROPERTY ROBUST_KBENCH_TORCH_LIBRARIES)
  target_link_libraries(RobustKBench::torch INTERFACE ${linked})
endfunction()

# `out_python` is empty where a LibTorch without Python was given.
function(_robust_kbench_locate_torch out_root out_python)
  if(Torch_DIR)
    cmake_path(ABSOLUTE_PATH Torch_DIR NORMALIZE OUTPUT_VARIABLE root)
    foreach(level IN ITEMS Torch cmake share)
      cmake_path(GET root PARENT_PATH root)
    endforeach()
    set(${out_root} ${root} PARENT_SCOPE)
    set(${out_python} "${RobustKBench_PYTHON}" PARENT_SCOPE)
    return()
  endif()
  set(candidates ${RobustKBench_PYTHON})
  if(NOT candidates)
    find_program(_robust_kbench_python3 python3 NO_CACHE)
    set(candidates ${_robust_kbench_python3} ${RobustKBench_DEFAULT_PYTHON})
  endif()
  foreach(python IN LISTS candidates)
    execute_process(
      COMMAND ${python} -c "import importlib.util as u, os; s = u.find_spec('torch'); \
print(os.path.realpath(s.submodule_search_locations[0]) if s else '')"
      OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(root)
      set(${out_root} ${root} PARENT_SCOPE)
      set(${out_python} ${python} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  list(JOIN candidates ", " tried)
  message(FATAL_ERROR
          "RobustKBench: no torch in ${tried}; run ./bootstrap.sh, or set RobustKBench_PYTHON to a "
          "Python that has torch ${_robust_kbench_least_torch} or newer, or Torch_DIR to the "
          "share/cmake/Torch of a LibTorch")
endfunction()

function(_robust_kbench_check_torch root out_version)
  set(version)
  if(EXISTS ${root}/version.py)
    file(STRINGS ${root}/version.py line REGEX "^__version__ = ")
    string(REGEX REPLACE "^__version__ = '(.*)'$" "\\1" version "${line}")
  elseif(EXISTS ${root}/build-version)
    file(STRINGS ${root}/build-version version LIMIT_COUNT 1)
  endif()
  foreach(needed IN ITEMS include/ATen/core/Tensor.h lib/libtorch_cpu.so lib/libc10.so)
    if(NOT EXISTS ${root}/${needed})
      message(FATAL_ERROR "RobustKBench: torch in ${root} has no ${needed}; give a complete LibTorch "
                          "by RobustKBench_PYTHON or Torch_DIR")
    endif()
  endforeach()
  string(REGEX MATCH "^[0-9.]+" number "${version}")
  if(number VERSION_LESS _robust_kbench_least_torch)
    message(FATAL_ERROR "RobustKBench: torch in ${root} is '${version}'; needed: "
                        "${_robust_kbench_least_torch} or newer, by RobustKBench_PYTHON or Torch_DIR")
  endif()
  set(config ${root}/share/cmake/Torch/TorchConfig.cmake)
  if(EXISTS ${config})
    file(STRINGS ${config} old_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
    if(old_abi)
      message(FATAL_ERROR "RobustKBench: torch in ${root} was built with _GLIBCXX_USE_CXX11_ABI=0; "
                          "give a build with the C++11 ABI by RobustKBench_PYTHON or Torch_DIR")
    endif()
  endif()
  set(${out_version} ${version} PARENT_SCOPE)
endfunction()
