include_guard(GLOBAL)

#[[
robust_kbench_find_torch()

Defines RobustKBench::torch: LibTorch's CPU libraries (torch_cpu, c10) and headers. Looks in
Torch_DIR, then in the torch of Python (RobustKBench_PYTHON), then in the project's .venv.
]]
function(robust_kbench_find_torch)
  if(TARGET RobustKBench::torch)
    return()
  endif()
  file(GLOB torch_root ${RobustKBench_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch)
  file(GLOB nvidia ${RobustKBench_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia/*/lib)
  add_library(RobustKBench::torch INTERFACE IMPORTED GLOBAL)
  target_include_directories(RobustKBench::torch SYSTEM INTERFACE ${torch_root}/include)
  target_link_libraries(RobustKBench::torch INTERFACE ${torch_root}/lib/libtorch_cpu.so
                                                      ${torch_root}/lib/libc10.so)
  list(JOIN nvidia ":" nvidia)
  target_link_options(RobustKBench::torch INTERFACE -Wl,-rpath,${torch_root}/lib:${nvidia}
                                                    -Wl,-rpath-link,${nvidia})
endfunction()
