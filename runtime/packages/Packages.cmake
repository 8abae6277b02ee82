# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What is made of an installation: two packages of Debian (`cpack -G DEB`), the
# command with its chips and the Python packages, and an archive for other systems
# (`cmake --build build --target portable`).
include(${CMAKE_CURRENT_LIST_DIR}/Install.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Wheel.cmake)

set(CPACK_PACKAGE_NAME dendrolith)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Dendrolith")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "MLIR compiler and SystemC simulator for dendritic and spiking networks")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL dendrolith python)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_DENDROLITH_PACKAGE_NAME dendrolith)
set(CPACK_DEBIAN_DENDROLITH_PACKAGE_SECTION science)
set(CPACK_DEBIAN_DENDROLITH_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_DENDROLITH_DESCRIPTION
  "Dendrolith compiles trained networks for Loihi-like chips and says, without
hardware, whether they fit, whether they still compute the right thing in
the chip's integers, and what spikes, energy and time an inference takes.")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
  "The package dendrolith loads, checks, compiles and runs networks by the command
dendrolith, and draws the results; dendrolith_lava loads exported ones into Lava.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-dendrolith)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "python3, python3-numpy, python3-protobuf, dendrolith (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-matplotlib, python3-h5py")
include(CPack)

find_program(PATCHELF patchelf)
add_custom_target(portable
  COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR}
    -DNAME=dendrolith-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}
    -DPATCHELF=$<$<BOOL:${PATCHELF}>:${PATCHELF}>
    -DLIBRARIES=${LLVM_LIBRARY_DIRS}
    -P ${CMAKE_CURRENT_LIST_DIR}/Portable.cmake
  USES_TERMINAL VERBATIM)
