# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How the two programs are linked, for a start in milliseconds. The shared MLIR and
# LLVM, with what they and HDF5 bring along, are some forty libraries, whose 337,000
# relocations (LD_DEBUG=statistics) are most of a start, whatever a process is to do.
# Of the archives beside them the linker takes what is used, at an address that is
# known, so that little is left to relocate. Tests are linked with the shared
# libraries: they are many, and each would have its own LLVM.
option(NEURITE_STATIC "Link MLIR, LLVM, HDF5 and protobuf into the programs" ON)

file(GLOB mlir_archives ${LLVM_LIBRARY_DIRS}/libMLIR*.a)
list(FILTER mlir_archives EXCLUDE REGEX "Test|libMLIRCAPI|Main\\.a$")
file(GLOB llvm_archives ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
# LLVM's own files may be compressed; its library is there without its headers.
find_library(NEURITE_ZSTD NAMES zstd libzstd.so.1)
set(hdf5_rest ${HDF5_C_LIBRARIES})
list(FILTER hdf5_rest INCLUDE REGEX "libhdf5[^/]*$")
list(GET hdf5_rest 0 hdf5_shared)
file(REAL_PATH ${hdf5_shared} hdf5_file)
string(REGEX REPLACE "\\.so.*" ".a" hdf5_archive ${hdf5_file})
# HDF5 uses these two for files in the net alone, which nobody here asks it for.
set(hdf5_rest ${HDF5_C_LIBRARIES})
list(FILTER hdf5_rest EXCLUDE REGEX "lib(hdf5|curl|crypto)[^/]*$")
find_library(NEURITE_PROTOBUF_ARCHIVE NAMES libprotobuf.a)
if(NEURITE_STATIC AND NOT (mlir_archives AND llvm_archives AND NEURITE_ZSTD
                           AND NEURITE_PROTOBUF_ARCHIVE AND EXISTS "${hdf5_archive}"))
  message(STATUS "No archives of MLIR, LLVM, HDF5 and protobuf: programs will start slowly")
  set(NEURITE_STATIC OFF)
endif()

# The linker reads this as one library, whose parts name each other.
set(archives ${CMAKE_BINARY_DIR}/archives.ld)
string(JOIN " " names ${mlir_archives} ${llvm_archives})
file(CONFIGURE OUTPUT ${archives} CONTENT "GROUP(@names@)" @ONLY)

# What libraries link in place of MLIR, LLVM, HDF5 and protobuf. Which of both it is, the
# program says that is linked in the end.
set(static $<BOOL:$<TARGET_PROPERTY:NEURITE_STATIC>>)
set(NEURITE_LOADS ${static}) # SystemC, see simulator/timing/kernel
add_library(NeuriteMlir INTERFACE)
target_link_libraries(NeuriteMlir INTERFACE "$<$<NOT:${static}>:MLIR;LLVM>")
add_library(NeuriteProtobuf INTERFACE)
target_link_libraries(NeuriteProtobuf INTERFACE
  "$<IF:${static},${NEURITE_PROTOBUF_ARCHIVE},protobuf::libprotobuf>")
add_library(NeuriteHdf5 INTERFACE)
target_link_libraries(NeuriteHdf5 INTERFACE
  "$<IF:${static},${hdf5_archive};${hdf5_rest},${HDF5_C_LIBRARIES}>")

# Links a program that people start.
function(neurite_link_program name)
  if(NOT NEURITE_STATIC)
    return()
  endif()
  set_target_properties(${name} PROPERTIES NEURITE_STATIC ON)
  target_link_libraries(${name} PRIVATE ${archives} ZLIB::ZLIB ${NEURITE_ZSTD})
  target_link_options(${name} PRIVATE -no-pie -Wl,--gc-sections)
  if(MOLD)
    # What runs before main() lies side by side then, in fewer pages.
    target_link_options(${name} PRIVATE -Wl,-z,keep-text-section-prefix)
  endif()
endfunction()

# Lets the program load SystemC's part of the cycle engine, which finds the rest of
# the simulator in the program.
function(neurite_load_cycle_engine name)
  if(NOT NEURITE_STATIC)
    return()
  endif()
  set(exported ${CMAKE_SOURCE_DIR}/simulator/timing/kernel/exported.txt)
  set_target_properties(${name} PROPERTIES
    LINK_LIBRARY_OVERRIDE_NeuriteTiming WHOLE_ARCHIVE
    LINK_LIBRARY_OVERRIDE_NeuriteSimulator WHOLE_ARCHIVE
    LINK_DEPENDS ${exported})
  target_link_options(${name} PRIVATE -Wl,--dynamic-list=${exported})
  target_link_libraries(${name} PRIVATE ${CMAKE_DL_LIBS})
  add_dependencies(${name} neurite-cycle)
endfunction()
