include_guard(GLOBAL)

# `cmake --install`: what find_package(RobustKBench) needs. Everything goes to fixed directories
# below the prefix: rkb_worker finds its operators in ../lib.
include(CMakePackageConfigHelpers)

set(package_directory lib/cmake/RobustKBench)
get_property(rooms GLOBAL PROPERTY ROBUST_KBENCH_ROOMS)
set(targets ${rooms} task_api shim shim_over_torch rkb_sandbox rkb_worker operators)
set(operator_libraries rkb_operators)
if(TARGET rkb_operators_cuda)
  list(APPEND targets operators_cuda)
  list(APPEND operator_libraries rkb_operators_cuda)
endif()

# An installed library finds torch where it was linked.
set_target_properties(${operator_libraries} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS robust_kbench_task_api robust_kbench_shim robust_kbench_shim_over_torch
                rkb_sandbox rkb_worker ${operator_libraries}
        EXPORT RobustKBenchTargets
        RUNTIME DESTINATION bin LIBRARY DESTINATION lib ARCHIVE DESTINATION lib)
install(PROGRAMS harness/compile/nvcc_halves.sh DESTINATION bin RENAME rkb_nvcc_halves)
list(TRANSFORM rooms PREPEND robust_kbench_ OUTPUT_VARIABLE room_libraries)
install(TARGETS ${room_libraries} EXPORT RobustKBenchTargets ARCHIVE DESTINATION lib)
install(EXPORT RobustKBenchTargets NAMESPACE RobustKBench:: DESTINATION ${package_directory})

install(DIRECTORY harness/include/robust_kbench DESTINATION include)
install(DIRECTORY harness/include/kernel/ DESTINATION share/robust_kbench/kernel_include)
install(DIRECTORY harness/include/kernel_over_torch/
        DESTINATION share/robust_kbench/kernel_include_over_torch)
install(DIRECTORY llm/ DESTINATION share/robust_kbench/llm USE_SOURCE_PERMISSIONS
        PATTERN __pycache__ EXCLUDE PATTERN lock.py EXCLUDE)
foreach(program IN ITEMS cli gtest_cases)
  install(FILES harness/${program}/${program}.hpp
          DESTINATION include/robust_kbench_rooms/${program})
endforeach()
install(FILES LICENSE DESTINATION share/doc/robust_kbench)

get_property(ROBUST_KBENCH_PYTHON GLOBAL PROPERTY ROBUST_KBENCH_PYTHON)
get_property(ROBUST_KBENCH_TORCH_VERSION GLOBAL PROPERTY ROBUST_KBENCH_TORCH_VERSION)
configure_package_config_file(cmake/RobustKBenchConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/RobustKBenchConfig.cmake INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/RobustKBenchConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/RobustKBenchConfig.cmake
        ${CMAKE_CURRENT_BINARY_DIR}/RobustKBenchConfigVersion.cmake
        cmake/DiscoverCases.cmake
        cmake/RobustKBench.cmake
        cmake/RobustKBenchArguments.cmake
        cmake/RobustKBenchManifest.cmake
        cmake/RobustKBenchSuite.cmake
        cmake/RobustKBenchTorch.cmake
        cmake/VerifyKernel.cmake
        cmake/registry.cpp.in
        cmake/rkb_cases_main.cpp.in
        cmake/rkb_main.cpp.in
  DESTINATION ${package_directory})
