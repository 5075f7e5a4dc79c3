# Vendor shims: C++ and CUDA template libraries behind a C interface, each a shared object of its own in
# src/vendor_shims/<name>/, opened with dlopen beside the program or in the library folder (kernels/vendor_shim.h). A
# shim is built where its compiler and its headers are; where they are not, its rungs say what to install.
include(CheckLanguage)

set(USKOR_CUDA_ARCHITECTURES "90;120" CACHE STRING
    "Compute capabilities, without the point, that CUDA shims hold machine code for; others run the least one's PTX")
set(USKOR_CUDA_LEAST 75)

option(USKOR_SHIMS "Build shims of vendors' template libraries where their compilers are" ON)
if(USKOR_SANITIZE OR USKOR_FUZZ)
  set(USKOR_SHIMS OFF)
endif()
if(USKOR_SHIMS)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
  endif()
endif()
find_program(USKOR_NVCC nvcc HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)

# uskor_cxx_shim(NAME [HEADER <needed header>] [FOLDERS …] [OPTIONS …] [LIBRARIES …]): libuskor_NAME.so, of C++. The
# header is looked for where headers are, and in the FOLDERS there.
function(uskor_cxx_shim name)
  cmake_parse_arguments(shim "" "HEADER" "FOLDERS;OPTIONS;LIBRARIES" ${ARGN})
  if(NOT USKOR_SHIMS OR NOT CMAKE_CXX_COMPILER_LOADED)
    return()
  endif()
  if(shim_HEADER)
    find_path(USKOR_SHIM_${name}_HEADER ${shim_HEADER} PATH_SUFFIXES ${shim_FOLDERS})
    if(NOT USKOR_SHIM_${name}_HEADER)
      message(STATUS "Shim ${name}: not built, as ${shim_HEADER} is not here")
      return()
    endif()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/vendor_shims/${name}/*.cpp)
  add_library(uskor_${name} MODULE ${sources})
  target_include_directories(uskor_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  if(shim_HEADER)
    target_include_directories(uskor_${name} SYSTEM PRIVATE ${USKOR_SHIM_${name}_HEADER})
  endif()
  target_compile_features(uskor_${name} PRIVATE cxx_std_17)
  target_compile_options(uskor_${name} PRIVATE -O3 ${shim_OPTIONS})
  target_link_libraries(uskor_${name} PRIVATE ${shim_LIBRARIES})
  set_target_properties(uskor_${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} BUILD_WITH_INSTALL_RPATH ON
                                                 INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS uskor_${name} LIBRARY DESTINATION ${USKOR_PLUGINS})
endfunction()

# uskor_cuda_shim(NAME): libuskor_NAME.so, of CUDA C++ with the toolkit's own templates, in one file NAME/*.cu. nvcc names what is
# local to a file by a checksum of the file's path, with -frandom-seed, too (CUDA 13). So it reads an open copy that has no path.
function(uskor_cuda_shim name)
  if(NOT USKOR_SHIMS OR NOT USKOR_NVCC)
    return()
  endif()
  file(GLOB source CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/vendor_shims/${name}/*.cu)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/vendor_shims/${name}/*.h)
  set(output ${PROJECT_BINARY_DIR}/libuskor_${name}.so)
  set(codes -gencode arch=compute_${USKOR_CUDA_LEAST},code=compute_${USKOR_CUDA_LEAST})
  foreach(architecture IN LISTS USKOR_CUDA_ARCHITECTURES)
    list(APPEND codes -gencode arch=compute_${architecture},code=sm_${architecture})
  endforeach()
  add_custom_command(
    OUTPUT ${output}
    COMMAND sh -c [[copy=`mktemp` && cp "$0" "$copy" && exec 3<"$copy" && rm "$copy" && exec "$@" -x cu /proc/self/fd/3]] ${source}
            ${USKOR_NVCC} -O3 -std=c++17 -shared -cudart static -Xcompiler -fPIC,-fvisibility=hidden -Xlinker -s ${codes} -I src
            -o ${output}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} # nvcc loses a folder whose path has an apostrophe
    DEPENDS ${source} ${headers}
    COMMENT "Building CUDA shim libuskor_${name}.so"
    VERBATIM)
  add_custom_target(uskor_${name} ALL DEPENDS ${output})
  install(FILES ${output} DESTINATION ${USKOR_PLUGINS})
endfunction()
