include_guard(GLOBAL)

# A clean build spends most of its time on headers and templates that the files of a room share.
option(RobustKBench_UNITY_BUILD
       "Compile many files of a room as one: a clean build takes far less, one after an edit more" ON)

# robust_kbench_set_unity_build(<target>): up to twenty of its files are compiled as one.
function(robust_kbench_set_unity_build target)
  if(NOT RobustKBench_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20)
  # In such a file GCC 12 analyses more calls, and reports false errors.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endfunction()
