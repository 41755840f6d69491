include_guard(GLOBAL)

# The manifest describes the build to the programs; harness/core/manifest.hpp reads it.

function(_robust_kbench_json_string out value)
  string(REPLACE "\\" "\\\\" value "${value}")
  string(REPLACE "\"" "\\\"" value "${value}")
  string(REPLACE "\n" "\\n" value "${value}")
  string(REPLACE "\t" "\\t" value "${value}")
  set(${out} "\"${value}\"" PARENT_SCOPE)
endfunction()

function(_robust_kbench_json_list out)
  set(items "")
  set(separator "")
  foreach(value IN LISTS ARGN)
    _robust_kbench_json_string(item "${value}")
    string(APPEND items "${separator}${item}")
    set(separator ", ")
  endforeach()
  set(${out} "[${items}]" PARENT_SCOPE)
endfunction()

# Makes a JSON object from pairs of a member's name and the caller's variable that holds its value.
# A name that ends in [] has a list as its value. A name that ends in {} has an object.
function(_robust_kbench_json_object out)
  set(_members "")
  set(_separator "")
  while(ARGN)
    list(POP_FRONT ARGN _member _variable)
    if(_member MATCHES "^(.*)\\[\\]$")
      set(_member ${CMAKE_MATCH_1})
      _robust_kbench_json_list(_value ${${_variable}})
    elseif(_member MATCHES "^(.*){}$")
      set(_member ${CMAKE_MATCH_1})
      set(_value "${${_variable}}")
    else()
      _robust_kbench_json_string(_value "${${_variable}}")
    endif()
    string(APPEND _members "${_separator}\"${_member}\": ${_value}")
    set(_separator ", ")
  endwhile()
  set(${out} "{${_members}}" PARENT_SCOPE)
endfunction()

function(_robust_kbench_torch_toolchain_json out)
  foreach(property IN ITEMS INCLUDE LIBRARIES CUDA_LIBRARIES LIBRARY_DIRECTORIES)
    get_property(${property} GLOBAL PROPERTY ROBUST_KBENCH_TORCH_${property})
  endforeach()
  get_property(kernel_include GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_INCLUDE_OVER_TORCH)
  set(shim $<TARGET_FILE:RobustKBench::shim_over_torch>)
  list(APPEND INCLUDE ${INCLUDE}/torch/csrc/api/include)
  list(PREPEND LIBRARIES $<TARGET_FILE:RobustKBench::operators>)
  _robust_kbench_json_object(
    json kernel_include kernel_include shim shim include_directories[] INCLUDE
    libraries[] LIBRARIES cuda_libraries[] CUDA_LIBRARIES library_directories[] LIBRARY_DIRECTORIES)
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

function(_robust_kbench_toolchain_json out)
  set(cxx ${CMAKE_CXX_COMPILER})
  set(nvcc "")
  if(RobustKBench_NVCC)
    set(nvcc ${RobustKBench_NVCC})
  endif()
  get_property(kernel_include GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_INCLUDE)
  set(shim $<TARGET_FILE:RobustKBench::shim>)
  set(worker $<TARGET_FILE:RobustKBench::rkb_worker>)
  # rkb links the build's own tasks, unlike the worker, which may be an installed one.
  set(baseline_command $<TARGET_FILE:rkb> baseline-worker)
  get_property(python GLOBAL PROPERTY ROBUST_KBENCH_PYTHON)
  set(compile_packages ${CMAKE_BINARY_DIR}/compile_packages)
  _robust_kbench_torch_toolchain_json(torch)
  _robust_kbench_json_object(json cxx cxx nvcc nvcc kernel_include kernel_include
                             shim shim worker worker
                             baseline_command[] baseline_command python python
                             compile_packages compile_packages torch{} torch)
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

# Says whether the CUDA kernels of a task are compiled with fast math.
function(_robust_kbench_fast_math_json out task)
  get_property(no_fast_math GLOBAL PROPERTY ROBUST_KBENCH_TASK_${task}_NO_FAST_MATH)
  if(no_fast_math)
    set(${out} false PARENT_SCOPE)
  else()
    set(${out} true PARENT_SCOPE)
  endif()
endfunction()

# The scope of a task's kernels that set no other: full or listed.
function(_robust_kbench_task_scope out task)
  get_property(scope GLOBAL PROPERTY ROBUST_KBENCH_TASK_${task}_SCOPE)
  if(NOT scope)
    set(scope full)
  endif()
  set(${out} ${scope} PARENT_SCOPE)
endfunction()

function(_robust_kbench_task_json out name)
  get_property(directory GLOBAL PROPERTY ROBUST_KBENCH_TASK_${name}_DIRECTORY)
  _robust_kbench_fast_math_json(fast_math ${name})
  _robust_kbench_task_scope(scope ${name})
  get_property(package GLOBAL PROPERTY ROBUST_KBENCH_TASK_${name}_PACKAGE)
  _robust_kbench_json_object(json name name directory directory fast_math{} fast_math scope scope
                             package package)
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

# The objects of all these tasks, as the manifest lists them.
function(_robust_kbench_tasks_json out)
  set(objects)
  set(separator)
  foreach(task IN LISTS ARGN)
    _robust_kbench_task_json(json ${task})
    string(APPEND objects "${separator}${json}")
    set(separator ",\n  ")
  endforeach()
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()

# `base` is the path of the kernel's outputs without an extension, or empty where a kernel is compiled
# when it is used.
function(_robust_kbench_kernel_json out id base)
  foreach(field IN ITEMS TASK DIRECTION NAME DEVICE SOURCES INCLUDE_DIRECTORIES DEFINITIONS OPTIONS
                         LIBRARIES HEADERS ENTRY SCOPE ALLOW)
    get_property(${field} GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_${field})
  endforeach()
  if(NOT SCOPE)
    _robust_kbench_task_scope(SCOPE ${TASK})
  endif()
  set(libraries)
  foreach(library IN LISTS LIBRARIES)
    if(TARGET ${library})
      set(library $<TARGET_LINKER_FILE:${library}>)
    endif()
    list(APPEND libraries ${library})
  endforeach()
  _robust_kbench_fast_math_json(fast_math ${TASK})
  set(record "")
  set(library "")
  if(base)
    set(record ${base}.json)
    set(library ${base}.so)
  endif()
  _robust_kbench_json_object(
    json task TASK direction DIRECTION name NAME device DEVICE sources[] SOURCES
    include_directories[] INCLUDE_DIRECTORIES definitions[] DEFINITIONS options[] OPTIONS fast_math{} fast_math scope SCOPE
    libraries[] libraries headers HEADERS allowed[] ALLOW entry_point ENTRY record record library library)
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

# Writes a manifest of tasks (TASKS, JSON objects) and kernels (KERNELS, JSON objects), each one
# string with its members separated by commas.
function(_robust_kbench_write_manifest path toolchain tasks kernels)
  file(GENERATE OUTPUT ${path} CONTENT
"{\"toolchain\": ${toolchain},
 \"tasks\": [
  ${tasks}],
 \"kernels\": [
  ${kernels}]}
")
endfunction()
