include_guard(GLOBAL)

# Installs the programs of this build with its tasks and kernels. The tree may be moved, so its
# manifest has paths relative to share/robust_kbench. Its programs find torch by links that
# bin/rkb_torch makes in lib/robust_kbench. Kernels are installed as sources, since they are compiled
# for the processor at hand.

# Call it when the suite is complete, with the directories that hold tasks and kernels.
function(robust_kbench_install_suite tasks_directory kernels_directory)
  set(files share/robust_kbench)
  install(DIRECTORY ${tasks_directory}/ DESTINATION ${files}/tasks PATTERN __pycache__ EXCLUDE)
  install(DIRECTORY ${kernels_directory}/ DESTINATION ${files}/kernels)
  install(FILES examples/wrong_cross_entropy.cpp DESTINATION ${files})
  set(manifest ${CMAKE_BINARY_DIR}/CMakeFiles/robust_kbench/installed_manifest.json)
  _robust_kbench_write_installed_manifest(${manifest} ${tasks_directory} ${kernels_directory})
  install(FILES ${manifest} DESTINATION ${files} RENAME manifest.json)
  install(FILES ${CMAKE_BINARY_DIR}/share/robust_kbench/commit DESTINATION ${files} OPTIONAL)

  # bin/rkb is a script, which tells where torch is missing.
  install(PROGRAMS $<TARGET_FILE:rkb> DESTINATION bin RENAME rkb_main)
  install(PROGRAMS $<TARGET_FILE:rkb_agent> DESTINATION bin)
  get_property(ROBUST_KBENCH_TORCH_VERSION GLOBAL PROPERTY ROBUST_KBENCH_TORCH_VERSION)
  foreach(script IN ITEMS rkb rkb_torch)
    set(configured ${CMAKE_BINARY_DIR}/CMakeFiles/robust_kbench/${script}.sh)
    configure_file(packaging/${script}.sh.in ${configured} @ONLY)
    install(PROGRAMS ${configured} DESTINATION bin RENAME ${script})
  endforeach()
  _robust_kbench_install_links_to_torch()
endfunction()

# Replaces the places of the build's torch in the installed programs by that of the link.
function(_robust_kbench_install_links_to_torch)
  set(set_places "")
  foreach(file IN ITEMS bin/rkb_main bin/rkb_agent lib/librkb_operators.so lib/librkb_operators_cuda.so)
    cmake_path(GET file PARENT_PATH directory)
    set(place [[$ORIGIN/robust_kbench/torch/lib]])
    if(directory STREQUAL "bin")
      set(place [[$ORIGIN/../lib/robust_kbench/torch/lib]])
    endif()
    string(APPEND set_places "
set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${file}\")
if(EXISTS \"\${file}\")
  file(RPATH_SET FILE \"\${file}\" NEW_RPATH [==[${place}]==])
endif()")
  endforeach()
  install(CODE "${set_places}")
  # A package carries no link, since torch is elsewhere on another machine.
  get_property(python GLOBAL PROPERTY ROBUST_KBENCH_PYTHON)
  get_property(include GLOBAL PROPERTY ROBUST_KBENCH_TORCH_INCLUDE)
  cmake_path(GET include PARENT_PATH torch)
  if(NOT python)
    set(python ${torch})
  endif()
  install(CODE "execute_process(
    COMMAND \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/rkb_torch\" \"${python}\"
    COMMAND_ERROR_IS_FATAL ANY)" COMPONENT torch_link)
endfunction()

# The toolchain as the programs of an installation find it.
function(_robust_kbench_installed_toolchain_json out)
  set(cxx ${CMAKE_CXX_COMPILER})
  # The programs look for it, and leave it out where there is none.
  set(nvcc nvcc)
  set(kernel_include ./kernel_include)
  set(shim ../../lib/$<TARGET_FILE_NAME:RobustKBench::shim>)
  set(worker ../../bin/rkb_worker)
  set(baseline_command ../../bin/rkb_main baseline-worker)
  set(python ../../lib/robust_kbench/python/bin/python3)
  set(compile_packages "")
  set(over_torch_include ./kernel_include_over_torch)
  set(over_torch_shim ../../lib/$<TARGET_FILE_NAME:RobustKBench::shim_over_torch>)
  set(torch ../../lib/robust_kbench/torch)
  set(include ${torch}/include ${torch}/include/torch/csrc/api/include)
  set(libraries ../../lib/librkb_operators.so ${torch}/lib/libtorch_cpu.so ${torch}/lib/libc10.so)
  set(cuda_libraries "")
  if(TARGET rkb_operators_cuda)
    set(cuda_libraries ${torch}/lib/libtorch_cuda.so ${torch}/lib/libc10_cuda.so)
  endif()
  set(directories ${torch}/lib)
  _robust_kbench_json_object(
    over_torch kernel_include over_torch_include shim over_torch_shim include_directories[] include
    libraries[] libraries cuda_libraries[] cuda_libraries library_directories[] directories)
  _robust_kbench_json_object(
    json cxx cxx nvcc nvcc kernel_include kernel_include shim shim worker worker
    baseline_command[] baseline_command python python compile_packages compile_packages
    torch{} over_torch)
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

# Writes the manifest of the suite with places of the installation in place of those of the build.
function(_robust_kbench_write_installed_manifest path tasks_directory kernels_directory)
  _robust_kbench_installed_toolchain_json(toolchain)
  get_property(tasks GLOBAL PROPERTY ROBUST_KBENCH_TASKS)
  get_property(kernels GLOBAL PROPERTY ROBUST_KBENCH_KERNELS)
  _robust_kbench_tasks_json(all_tasks ${tasks})
  foreach(id IN LISTS kernels)
    _robust_kbench_kernel_json(json ${id} "")
    string(APPEND all_kernels "${kernel_separator}${json}")
    set(kernel_separator ",\n  ")
  endforeach()
  string(REPLACE "\"${tasks_directory}/" "\"./tasks/" all_tasks "${all_tasks}")
  string(REPLACE "\"${kernels_directory}/" "\"./kernels/" all_kernels "${all_kernels}")
  _robust_kbench_write_manifest(${path} "${toolchain}" "${all_tasks}" "${all_kernels}")
endfunction()
