include_guard(GLOBAL)

# The files that `cmake --install` copies for find_package(RobustKBench). They go to fixed
# directories below the prefix, since rkb_worker finds its operators in ../lib.
include(CMakePackageConfigHelpers)

set(package_directory lib/cmake/RobustKBench)
get_property(rooms GLOBAL PROPERTY ROBUST_KBENCH_ROOMS)
set(targets ${rooms} task_api shim shim_over_torch rkb_sandbox rkb_fork_client rkb_worker rkb_replayer operators)
set(operator_libraries rkb_operators)
if(TARGET rkb_operators_cuda)
  list(APPEND targets operators_cuda)
  list(APPEND operator_libraries rkb_operators_cuda)
endif()

# An installed library finds torch at its place when it was linked.
set_target_properties(${operator_libraries} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS robust_kbench_task_api robust_kbench_shim robust_kbench_shim_over_torch
                rkb_sandbox rkb_fork_client rkb_worker rkb_replayer ${operator_libraries}
        EXPORT RobustKBenchTargets
        RUNTIME DESTINATION bin LIBRARY DESTINATION lib ARCHIVE DESTINATION lib)
if(TARGET rkb_recorder)  # a worker finds it in ../lib/recorder
  install(TARGETS rkb_recorder LIBRARY DESTINATION lib/recorder)
endif()
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
install(DIRECTORY page/ DESTINATION share/robust_kbench/page USE_SOURCE_PERMISSIONS
        PATTERN __pycache__ EXCLUDE)
install(DIRECTORY importer DESTINATION share/robust_kbench/python
        PATTERN __pycache__ EXCLUDE)
install(DIRECTORY client DESTINATION share/robust_kbench
        PATTERN __pycache__ EXCLUDE PATTERN build EXCLUDE PATTERN *.egg-info EXCLUDE)
foreach(program IN ITEMS cli agent gtest_cases)
  install(FILES harness/${program}/${program}.hpp
          DESTINATION include/robust_kbench_rooms/${program})
endforeach()
install(FILES harness/cli/hand_over.hpp DESTINATION include/robust_kbench_rooms/cli)
install(FILES harness/report/page_paths.hpp DESTINATION include/robust_kbench_rooms/report)
install(FILES LICENSE DESTINATION share/doc/robust_kbench)

get_property(ROBUST_KBENCH_PYTHON GLOBAL PROPERTY ROBUST_KBENCH_PYTHON)
get_property(ROBUST_KBENCH_TORCH_VERSION GLOBAL PROPERTY ROBUST_KBENCH_TORCH_VERSION)
set(config_paths modules kernel_include kernel_include_over_torch llm_sources
                 importer_sources page_sources)
set(modules ${package_directory})
set(kernel_include share/robust_kbench/kernel_include)
set(kernel_include_over_torch share/robust_kbench/kernel_include_over_torch)
set(llm_sources share/robust_kbench/llm)
set(importer_sources share/robust_kbench/python)
set(page_sources share/robust_kbench/page)
set(installed_config ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/RobustKBenchConfig.cmake)
configure_package_config_file(cmake/RobustKBenchConfig.cmake.in ${installed_config}
  INSTALL_DESTINATION ${package_directory} PATH_VARS ${config_paths})

# Makes find_package() accept this build, too, if RobustKBench_DIR names it. Its files stay in
# place.
set(modules ${CMAKE_CURRENT_SOURCE_DIR}/cmake)
set(kernel_include ${CMAKE_CURRENT_SOURCE_DIR}/harness/include/kernel)
set(kernel_include_over_torch ${CMAKE_CURRENT_SOURCE_DIR}/harness/include/kernel_over_torch)
set(llm_sources ${CMAKE_CURRENT_SOURCE_DIR}/llm)
set(importer_sources ${CMAKE_CURRENT_SOURCE_DIR})
set(page_sources ${CMAKE_CURRENT_SOURCE_DIR}/page)
configure_package_config_file(cmake/RobustKBenchConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/RobustKBenchConfig.cmake
  INSTALL_DESTINATION ${CMAKE_CURRENT_BINARY_DIR} INSTALL_PREFIX ${CMAKE_CURRENT_BINARY_DIR}
  PATH_VARS ${config_paths})
export(EXPORT RobustKBenchTargets NAMESPACE RobustKBench::
       FILE ${CMAKE_CURRENT_BINARY_DIR}/RobustKBenchTargets.cmake)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/RobustKBenchConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(
  FILES ${installed_config}
        ${CMAKE_CURRENT_BINARY_DIR}/RobustKBenchConfigVersion.cmake
        cmake/DiscoverCases.cmake
        cmake/RobustKBench.cmake
        cmake/RobustKBenchArguments.cmake
        cmake/RobustKBenchManifest.cmake
        cmake/RobustKBenchSuite.cmake
        cmake/RobustKBenchTorch.cmake
        cmake/RobustKBenchTorchTask.cmake
        cmake/VerifyKernel.cmake
        cmake/registry.cpp.in
        cmake/rkb_agent_main.cpp.in
        cmake/rkb_cases_main.cpp.in
        cmake/rkb_main.cpp.in
  DESTINATION ${package_directory})
