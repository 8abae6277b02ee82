# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The component `wheel`: the program in bin, and in share what it finds from there. A wheel
# has it as it is beside the Python package. Folders of share/dendrolith are those of the
# repository, so that scripts find models as they do here.
set(program dendrolith)
if(TARGET dendrolith-alone)
  set(program dendrolith-alone)
endif()
dendrolith_print_pages(${program} COMPONENT wheel EXCLUDE_FROM_ALL)

# Linked alone, it needs nothing but glibc; else the libraries of this machine.
add_custom_target(dendrolith-package DEPENDS ${program} dendrolith-lava-python)
install(PROGRAMS $<TARGET_FILE:${program}> RENAME dendrolith DESTINATION bin
  COMPONENT wheel EXCLUDE_FROM_ALL)
if(DENDROLITH_STATIC AND program STREQUAL dendrolith)
  install(TARGETS dendrolith-cycle DESTINATION lib/dendrolith COMPONENT wheel EXCLUDE_FROM_ALL)
endif()

function(dendrolith_ship)
  foreach(file ${ARGN})
    cmake_path(GET file PARENT_PATH folder)
    install(FILES ${CMAKE_SOURCE_DIR}/${file} DESTINATION share/dendrolith/${folder}
      COMPONENT wheel EXCLUDE_FROM_ALL OPTIONAL)
  endforeach()
endfunction()
foreach(folder targets models/lif models/cnn models/relay models/neurons runtime/python/tutorial)
  file(GLOB_RECURSE files RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/${folder}/*.yaml
    ${CMAKE_SOURCE_DIR}/${folder}/*.n?? ${CMAKE_SOURCE_DIR}/${folder}/*.mlir
    ${CMAKE_SOURCE_DIR}/${folder}/*.py)
  dendrolith_ship(${files})
endforeach()
dendrolith_ship(models/mmdend/sparse.npz models/mmdend/calib_x.npy models/mmdend/test_x.npy
  models/mmdend/test_y.npy
  runtime/explore/study/example.yaml
  # What `mpicxx` makes the module of, on a machine that has MPI.
  runtime/host/mpi/MpiRanks.cpp runtime/host/Ranks.h)
install(DIRECTORY ${CMAKE_BINARY_DIR}/python/dendrolith_lava
  DESTINATION share/dendrolith/runtime/python COMPONENT wheel EXCLUDE_FROM_ALL)
# Both are there where an index of packages was reached.
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/dendrolith/echarts
  ${CMAKE_BINARY_DIR}/share/dendrolith/docs DESTINATION share/dendrolith
  COMPONENT wheel EXCLUDE_FROM_ALL OPTIONAL PATTERN lock.sha256 EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/runtime/result.schema.json DESTINATION share/dendrolith
  COMPONENT wheel EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION share/doc/dendrolith RENAME copyright
  COMPONENT wheel EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_BINARY_DIR}/pages/dendrolith.1.gz DESTINATION share/man/man1
  COMPONENT wheel EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_BINARY_DIR}/pages/dendrolith
  DESTINATION share/bash-completion/completions COMPONENT wheel EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_BINARY_DIR}/pages/dendrolith.fish
  DESTINATION share/fish/vendor_completions.d COMPONENT wheel EXCLUDE_FROM_ALL)
