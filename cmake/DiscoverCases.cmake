# Run by CTest, not at configure time.

#[[
robust_kbench_discover_cases(LIST <file> MANIFEST <file> LISTER <rkb> PROGRAM <rkb_cases>
                             FORK_CLIENT <rkb_fork_client>
                             TASK_DIRECTORIES <directory>... PACKAGES <file>...)

Adds one CTest test for each case. The list is kept in LIST. It is made again when the manifest
(tasks, kernels), a config file, a package or the lister has changed. Added and removed plain kernels
and GPUs cause that, too.
Where there are GPUs, CTest gives each test of a CUDA kernel one of them.
]]
function(robust_kbench_discover_cases)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "LIST;MANIFEST;LISTER;PROGRAM;FORK_CLIENT" "TASK_DIRECTORIES;PACKAGES")
  set(missing FALSE)
  foreach(file IN ITEMS ${arg_LISTER} ${arg_PROGRAM} ${arg_PACKAGES})
    if(NOT EXISTS ${file})
      set(missing TRUE)
    endif()
  endforeach()
  if(missing)
    # CTest reports this test as not runnable and runs all others. GoogleTest's discovery does so, too.
    add_test(rkb_cases_NOT_BUILT rkb_cases_NOT_BUILT)
    return()
  endif()
  set(plain_kernels ${arg_TASK_DIRECTORIES})
  list(TRANSFORM plain_kernels APPEND /*ward.c*)
  file(GLOB plain_kernels ${plain_kernels})
  list(TRANSFORM arg_TASK_DIRECTORIES APPEND /config_*.json)
  file(GLOB configs ${arg_TASK_DIRECTORIES})
  file(GLOB gpus /dev/nvidia[0-9]*)
  file(TIMESTAMP ${arg_LISTER} lister_time)
  set(key "${arg_PROGRAM} ${lister_time} ${gpus} ${plain_kernels} $ENV{CUDA_VISIBLE_DEVICES}")
  foreach(file IN LISTS arg_MANIFEST configs arg_PACKAGES)
    file(SHA256 ${file} hash)
    string(APPEND key "\n${file} ${hash}")
  endforeach()
  set(known_key)
  if(EXISTS ${arg_LIST} AND EXISTS ${arg_LIST}.key)
    file(READ ${arg_LIST}.key known_key)
  endif()
  if(NOT key STREQUAL known_key)
    execute_process(
      COMMAND ${arg_LISTER} --manifest ${arg_MANIFEST} list --ctest ${arg_LIST}
              --cases-program ${arg_PROGRAM} --fork-client ${arg_FORK_CLIENT}
              --resources ${arg_LIST}.resources.json
      RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "${arg_LISTER} could not list the cases (${result}):\n${output}")
    endif()
    file(WRITE ${arg_LIST}.key "${key}")
  endif()
  include(${arg_LIST})
  # Has the effect of `ctest --resource-spec-file`, which has precedence.
  if(EXISTS ${arg_LIST}.resources.json AND NOT CTEST_RESOURCE_SPEC_FILE)
    set(CTEST_RESOURCE_SPEC_FILE ${arg_LIST}.resources.json PARENT_SCOPE)
  endif()
endfunction()
