# cmake -D MODULE=<RobustKBench.cmake> -D SCRATCH=<directory> -D GENERATOR=<name> -D CXX=<compiler>
#       -P suite_test.cmake
#
# Tests the results of configuring with valid arguments. Substitutes for our libraries suffice,
# since nothing is built.
cmake_policy(VERSION 3.25.1)

file(REMOVE_RECURSE ${SCRATCH})
foreach(file IN ITEMS kernels/kernel.cpp kernels/libfile.a)
  file(WRITE ${SCRATCH}/${file} "")
endforeach()
file(WRITE ${SCRATCH}/task/task.cpp "namespace robust_kbench::tasks {\nTask task();\nTask narrow();\n}\n")
file(WRITE ${SCRATCH}/task/config_forward.json "{}")
file(WRITE ${SCRATCH}/stand_ins.cmake "
foreach(name IN ITEMS task_api tensor cli agent gtest_cases)
  add_library(RobustKBench::\${name} INTERFACE IMPORTED)
endforeach()
foreach(name IN ITEMS rkb_worker rkb_fork_client)
  add_executable(RobustKBench::\${name} IMPORTED)
  set_property(TARGET RobustKBench::\${name} PROPERTY IMPORTED_LOCATION \${name})
endforeach()
foreach(name IN ITEMS shim shim_over_torch operators)
  add_library(RobustKBench::\${name} SHARED IMPORTED)
  set_property(TARGET RobustKBench::\${name} PROPERTY IMPORTED_LOCATION \${name}.so)
endforeach()
include(${MODULE})
robust_kbench_add_tasks(DIRECTORY .)
")

# Sets `output` to the output of configuring.
function(configure code)
  file(WRITE ${SCRATCH}/CMakeLists.txt
       "cmake_minimum_required(VERSION 3.25.1)\nproject(p LANGUAGES CXX)\ninclude(stand_ins.cmake)\n${code}\n")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${SCRATCH} -B ${SCRATCH}/build -G ${GENERATOR}
            -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_BUILD_TYPE=Release ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${code}\n${output}")
  endif()
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  set(output "${output}" PARENT_SCOPE)
endfunction()

# The arguments behind `expected` are the member's path.
function(expect_in_manifest expected)
  file(READ ${SCRATCH}/build/share/robust_kbench/manifest.json manifest)
  string(JSON value GET "${manifest}" ${ARGN})
  if(NOT value STREQUAL "${expected}")
    string(JSON equal ERROR_VARIABLE error EQUAL "${value}" "${expected}")
    if(error OR NOT equal)
      message(FATAL_ERROR "${ARGN} of the manifest is ${value}\n  expected: ${expected}")
    endif()
  endif()
endfunction()

# Relative paths start at the calling directory; the target comes after the kernel.
file(WRITE ${SCRATCH}/kernels/CMakeLists.txt "
robust_kbench_add_kernel(
  TASK task DIRECTION forward SOURCES kernel.cpp
  INCLUDE_DIRECTORIES ../task \${CMAKE_BINARY_DIR}/later $<TARGET_PROPERTY:library,SOURCE_DIR>
  LIBRARIES library libfile.a $<CONFIG>.a \${CMAKE_BINARY_DIR}/later.a -lm)
add_library(library STATIC kernel.cpp)
")
configure("include(CTest)\nadd_subdirectory(kernels)")
expect_in_manifest(
  "[\"${SCRATCH}/task\", \"${SCRATCH}/build/later\", \"${SCRATCH}/kernels\"]"
  kernels 0 include_directories)
expect_in_manifest(
  "[\"${SCRATCH}/build/kernels/liblibrary.a\", \"${SCRATCH}/kernels/libfile.a\", \"Release.a\",
    \"${SCRATCH}/build/later.a\", \"-lm\"]"
  kernels 0 libraries)

# Paths in options do so, too, where they exist. The default entry point is the kernel's direction.
file(WRITE ${SCRATCH}/kernels/CMakeLists.txt "
robust_kbench_add_kernel(
  TASK task DIRECTION forward SOURCES kernel.cpp ENTRY detail::linear
  OPTIONS -I../task -isystem ../kernels -Inowhere -include kernel.cpp -O1)
robust_kbench_add_kernel(TASK task DIRECTION forward SOURCES kernel.cpp NAME other)
")
configure("include(CTest)\nadd_subdirectory(kernels)")
expect_in_manifest(
  "[\"-I${SCRATCH}/task\", \"-isystem\", \"${SCRATCH}/kernels\", \"-Inowhere\", \"-include\",
    \"${SCRATCH}/kernels/kernel.cpp\", \"-O1\"]"
  kernels 0 options)
expect_in_manifest(detail::linear kernels 0 entry_point)
expect_in_manifest("" kernels 1 entry_point)

# It is the build's own program, wherever the worker is.
expect_in_manifest("[\"${SCRATCH}/build/bin/rkb\", \"baseline-worker\"]" toolchain baseline_command)

# A kernel's own scope has precedence over its task's, which is full by default.
expect_in_manifest(full tasks 0 scope)
expect_in_manifest(full kernels 0 scope)
file(WRITE ${SCRATCH}/kernels/CMakeLists.txt "
robust_kbench_add_task(NAME narrow DIRECTORY ../task SCOPE listed)
robust_kbench_add_kernel(TASK narrow DIRECTION forward SOURCES kernel.cpp)
robust_kbench_add_kernel(TASK narrow DIRECTION forward SOURCES kernel.cpp NAME wide SCOPE full)
robust_kbench_add_kernel(TASK task DIRECTION forward SOURCES kernel.cpp SCOPE listed)
")
configure("include(CTest)\nadd_subdirectory(kernels)")
expect_in_manifest(listed tasks 1 scope)
expect_in_manifest(listed kernels 0 scope)
expect_in_manifest(full kernels 1 scope)
expect_in_manifest(listed kernels 2 scope)

# Imported tasks: from packages, which stay in place, and from sources, whose packages the build
# makes.
file(WRITE ${SCRATCH}/kernels/ops/kept.task.json
     [[{"name": "kept", "configs": {"forward": {}, "backward": {}}}]])
foreach(file IN ITEMS ops/kept.py ops/19_ReLU.py ops/folder/func_forward.py one/func_forward.py
                      one/config_backward.json)
  file(WRITE ${SCRATCH}/kernels/${file} "")
endforeach()
file(WRITE ${SCRATCH}/kernels/CMakeLists.txt "
set_property(GLOBAL PROPERTY ROBUST_KBENCH_PYTHON python3)
robust_kbench_add_torch_task(NAME one SOURCE one CONFIG batch=3 SCOPE listed NO_FAST_MATH)
robust_kbench_add_torch_tasks(DIRECTORY ops)
robust_kbench_add_kernel(TASK kept DIRECTION backward SOURCES kernel.cpp)
")
configure("include(CTest)\nadd_subdirectory(kernels)")
expect_in_manifest("" tasks 0 package)
set(index 1)
foreach(name IN ITEMS one kept relu folder)
  set(package ${SCRATCH}/build/imported_tasks/${name}.task.json)
  if(name STREQUAL "kept")
    set(package ${SCRATCH}/kernels/ops/kept.task.json)
  endif()
  expect_in_manifest(${name} tasks ${index} name)
  expect_in_manifest(${package} tasks ${index} package)
  math(EXPR index "${index} + 1")
endforeach()
expect_in_manifest(listed tasks 1 scope)
expect_in_manifest(OFF tasks 1 fast_math)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${SCRATCH}/build --target help
                OUTPUT_VARIABLE targets)
foreach(target IN ITEMS import_one import_relu import_folder evolve_one evolve_one_backward
                        evolve_kept_backward verify_kept bench_relu)
  if(NOT targets MATCHES "${target}[^a-z_]")
    message(FATAL_ERROR "there is no target ${target}:\n${targets}")
  endif()
endforeach()
if(targets MATCHES "import_kept|evolve_relu_backward")
  message(FATAL_ERROR "a package is not imported, and a file has no backward:\n${targets}")
endif()

# No CUDA compiler is searched for if one is given, or if it is OFF.
foreach(nvcc IN ITEMS "${SCRATCH}/nvcc" OFF)
  configure("include(CTest)" -D RobustKBench_NVCC=${nvcc})
  string(REPLACE OFF "" expected ${nvcc})
  expect_in_manifest("${expected}" toolchain nvcc)
endforeach()

function(expect_warning code expected)
  file(REMOVE ${SCRATCH}/build/CMakeCache.txt)
  configure("${code}")
  string(FIND "${output}" "RobustKBench: testing is not enabled in ${SCRATCH}, so ctest will find no tests; add include(CTest) to its CMakeLists.txt" at)
  if((expected AND at EQUAL -1) OR (NOT expected AND output MATCHES "Warning"))
    message(FATAL_ERROR "${code}\n  expected a warning: ${expected}\n  got: ${output}")
  endif()
endfunction()

file(WRITE ${SCRATCH}/subproject/CMakeLists.txt "include(CTest)")
expect_warning("" TRUE)
expect_warning("add_subdirectory(subproject)" TRUE)
expect_warning("include(CTest)" FALSE)
expect_warning("enable_testing()" FALSE)
expect_warning("set(BUILD_TESTING OFF)\ninclude(CTest)" FALSE)

# A missing build type causes a warning, and a given one does not.
function(expect_build_type_warning expected)
  file(REMOVE ${SCRATCH}/build/CMakeCache.txt)
  configure("include(CTest)" ${ARGN})
  string(FIND "${output}" "RobustKBench: CMAKE_BUILD_TYPE is empty, so the programs are compiled without optimisation" at)
  if((expected AND at EQUAL -1) OR (NOT expected AND output MATCHES "Warning"))
    message(FATAL_ERROR "${ARGN}\n  expected a warning: ${expected}\n  got: ${output}")
  endif()
endfunction()

expect_build_type_warning(TRUE -D CMAKE_BUILD_TYPE=)
expect_build_type_warning(FALSE -D CMAKE_BUILD_TYPE=Debug)
expect_build_type_warning(FALSE -D CMAKE_BUILD_TYPE= -D CMAKE_CXX_FLAGS=-O2)
