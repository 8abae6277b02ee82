# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How the two programs are linked, for a start in milliseconds. The shared MLIR and
# LLVM, with what they and HDF5 bring along, are some forty libraries, whose 337,000
# relocations (LD_DEBUG=statistics) are most of a start, whatever a process is to do.
# Of the archives beside them the linker takes what is used, at an address that is
# known, so that little is left to relocate. Tests are linked with the shared
# libraries: they are many, and each would have its own LLVM.
option(DENDROLITH_STATIC "Link MLIR, LLVM, HDF5 and protobuf into the programs" ON)

file(GLOB mlir_archives ${LLVM_LIBRARY_DIRS}/libMLIR*.a)
list(FILTER mlir_archives EXCLUDE REGEX "Test|libMLIRCAPI|Main\\.a$")
file(GLOB llvm_archives ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
# LLVM's own files may be compressed; its library is there without its headers.
find_library(DENDROLITH_ZSTD NAMES zstd libzstd.so.1)
set(hdf5_rest ${HDF5_C_LIBRARIES})
list(FILTER hdf5_rest INCLUDE REGEX "libhdf5[^/]*$")
list(GET hdf5_rest 0 hdf5_shared)
file(REAL_PATH ${hdf5_shared} hdf5_file)
string(REGEX REPLACE "\\.so.*" ".a" hdf5_archive ${hdf5_file})
# HDF5 uses these two for files in the net alone, which nobody here asks it for.
set(hdf5_rest ${HDF5_C_LIBRARIES})
list(FILTER hdf5_rest EXCLUDE REGEX "lib(hdf5|curl|crypto)[^/]*$")
find_library(DENDROLITH_PROTOBUF_ARCHIVE NAMES libprotobuf.a)
if(DENDROLITH_STATIC AND NOT (mlir_archives AND llvm_archives AND DENDROLITH_ZSTD
                           AND DENDROLITH_PROTOBUF_ARCHIVE AND EXISTS "${hdf5_archive}"))
  message(STATUS "No archives of MLIR, LLVM, HDF5 and protobuf: programs will start slowly")
  set(DENDROLITH_STATIC OFF)
endif()

# With a folder that runtime/packages/archives has filled, programs can be linked that
# need nothing but glibc.
set(DENDROLITH_ARCHIVES "" CACHE PATH "Where the archives for a wheel are")
set(alone_archives)
if(DENDROLITH_ARCHIVES)
  foreach(library fmt systemc zstd yaml-cpp crypto z sz aec)
    find_library(archive_of_${library} lib${library}.a PATHS ${DENDROLITH_ARCHIVES}/lib REQUIRED)
    list(APPEND alone_archives ${archive_of_${library}})
  endforeach()
endif()

# The linker reads this as one library, whose parts name each other.
set(archives ${CMAKE_BINARY_DIR}/archives.ld)
string(JOIN " " names ${mlir_archives} ${llvm_archives})
file(CONFIGURE OUTPUT ${archives} CONTENT "GROUP(@names@)" @ONLY)

# What libraries link in place of MLIR, LLVM, HDF5 and protobuf. Which of both it is, the
# program says that is linked in the end.
set(static $<BOOL:$<TARGET_PROPERTY:DENDROLITH_STATIC>>)
set(alone $<BOOL:$<TARGET_PROPERTY:DENDROLITH_ALONE>>)
# SystemC, see simulator/timing/kernel
set(DENDROLITH_LOADS $<AND:${static},$<NOT:${alone}>>)
add_library(DendrolithMlir INTERFACE)
target_link_libraries(DendrolithMlir INTERFACE "$<$<NOT:${static}>:MLIR;LLVM>")
add_library(DendrolithProtobuf INTERFACE)
target_link_libraries(DendrolithProtobuf INTERFACE
  "$<IF:${static},${DENDROLITH_PROTOBUF_ARCHIVE},protobuf::libprotobuf>")
add_library(DendrolithHdf5 INTERFACE)
target_link_libraries(DendrolithHdf5 INTERFACE
  "$<IF:${static},${hdf5_archive};${hdf5_rest},${HDF5_C_LIBRARIES}>")

# Links a program that people start.
function(dendrolith_link_program name)
  if(NOT DENDROLITH_STATIC)
    return()
  endif()
  set_target_properties(${name} PROPERTIES DENDROLITH_STATIC ON)
  target_link_libraries(${name} PRIVATE ${archives} ZLIB::ZLIB ${DENDROLITH_ZSTD})
  target_link_options(${name} PRIVATE -no-pie -Wl,--gc-sections)
  if(MOLD)
    # What runs before main() lies side by side then, in fewer pages.
    target_link_options(${name} PRIVATE -Wl,-z,keep-text-section-prefix)
  endif()
endfunction()

# Links the objects of a program once more, as `name`, to need nothing but glibc 2.28 or
# newer: for the wheel. What is an archive there is taken before the shared library of
# the same name, which `--as-needed` then leaves out; only mold looks up archives so.
function(dendrolith_link_alone name)
  if(NOT DENDROLITH_ARCHIVES OR NOT DENDROLITH_STATIC)
    return()
  endif()
  if(NOT MOLD)
    message(FATAL_ERROR "DENDROLITH_ARCHIVES needs mold, which was not found; "
      "install it (Debian: apt-get install mold) and configure again")
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${ARGN})
  dendrolith_link_program(${name})
  set_target_properties(${name} PROPERTIES DENDROLITH_ALONE ON BUILD_RPATH "" SKIP_BUILD_RPATH ON)
  set(older ${DENDROLITH_ARCHIVES}/glibc)
  set(libraries /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} /lib/${CMAKE_LIBRARY_ARCHITECTURE})
  list(TRANSFORM libraries PREPEND -L${older})
  target_link_options(${name} BEFORE PRIVATE -Wl,--as-needed
    ${DENDROLITH_ARCHIVES}/lib/OlderGlibc.o ${alone_archives} --sysroot=${older}
    -B${older}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} ${libraries})
  target_link_options(${name} PRIVATE -s -static-libstdc++ -static-libgcc
    -Wl,--icf=all -Wl,--wrap=exp,--wrap=exp2,--wrap=log,--wrap=log2,--wrap=pow)
  target_link_libraries(${name} PRIVATE -lpthread ${CMAKE_DL_LIBS})
endfunction()

# Lets the program load SystemC's part of the cycle engine, which finds the rest of
# the simulator in the program.
function(dendrolith_load_cycle_engine name)
  if(NOT DENDROLITH_STATIC)
    return()
  endif()
  set(exported ${CMAKE_SOURCE_DIR}/simulator/timing/kernel/exported.txt)
  set_target_properties(${name} PROPERTIES
    LINK_LIBRARY_OVERRIDE_DendrolithTiming WHOLE_ARCHIVE
    LINK_LIBRARY_OVERRIDE_DendrolithSimulator WHOLE_ARCHIVE
    LINK_LIBRARY_OVERRIDE_DendrolithMesh WHOLE_ARCHIVE
    LINK_DEPENDS ${exported})
  target_link_options(${name} PRIVATE -Wl,--dynamic-list=${exported})
  target_link_libraries(${name} PRIVATE ${CMAKE_DL_LIBS})
  add_dependencies(${name} dendrolith-cycle)
endfunction()
