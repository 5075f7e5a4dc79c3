# The BLAS that interposes (src/blas), of the library's own objects: target `blas`.
#   libuskor-blas.so             for LD_PRELOAD, over whatever BLAS the program has
#   uskor/libblas.so.3           for Debian's alternatives, over libopenblas.so.0, in which the loader finds all names that
#                                are not ours. It is never linked to a libblas.so.3, which would be itself.
# Both define the names of src/blas/names.h, which belong to no version. Never -Bsymbolic: xerbla is the program's.
file(GLOB USKOR_BLAS_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/blas/*.c)
add_library(uskor_blas_objects OBJECT ${USKOR_BLAS_SOURCES})
target_compile_definitions(uskor_blas_objects PRIVATE _GNU_SOURCE USKOR_LIBRARY)
target_include_directories(uskor_blas_objects PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include
                                                      ${PROJECT_BINARY_DIR}/generated)
# A call passed on is a jump with the caller's own arguments.
target_compile_options(uskor_blas_objects PRIVATE -foptimize-sibling-calls -fno-stack-protector)

set(USKOR_BLAS_MAP ${PROJECT_SOURCE_DIR}/src/blas/symbols.map)
function(uskor_blas target)
  add_library(${target} SHARED $<TARGET_OBJECTS:uskor_blas_objects> $<TARGET_OBJECTS:uskor_shared>)
  add_dependencies(${target} uskor_objects)
  target_link_libraries(${target} PRIVATE $<TARGET_FILE:uskor_objects> m ${CMAKE_DL_LIBS})
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,-z,nodelete -Wl,--gc-sections
                                        "SHELL:-Xlinker \"--version-script=${USKOR_BLAS_MAP}\"") # -Wl would cut a path at a comma
  if(NOT USKOR_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C LINK_DEPENDS ${USKOR_BLAS_MAP} BUILD_WITH_INSTALL_RPATH ON
                                             INSTALL_RPATH_USE_LINK_PATH ON)
  if(NOT CMAKE_BUILD_TYPE STREQUAL Debug AND NOT USKOR_SANITIZE)
    add_custom_command(TARGET ${target} POST_BUILD COMMAND ${CMAKE_OBJCOPY} --strip-debug $<TARGET_FILE:${target}> VERBATIM)
  endif()
endfunction()

uskor_blas(uskor_blas)
set_target_properties(uskor_blas PROPERTIES OUTPUT_NAME uskor-blas)

# An empty library of OpenBLAS's soname, to be linked to: OpenBLAS need not be here.
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/blas/openblas.c CONTENT "typedef int nothing;\n")
add_library(uskor_blas_openblas SHARED ${PROJECT_BINARY_DIR}/blas/openblas.c)
set_target_properties(uskor_blas_openblas PROPERTIES OUTPUT_NAME openblas SOVERSION 0
                                                     LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/blas)

uskor_blas(uskor_blas_alternative)
add_dependencies(uskor_blas_alternative uskor_blas_openblas)
target_link_options(uskor_blas_alternative PRIVATE -Wl,--no-as-needed $<TARGET_FILE:uskor_blas_openblas> -Wl,--as-needed)
set_target_properties(uskor_blas_alternative PROPERTIES OUTPUT_NAME blas SOVERSION 3 VERSION 3
                                                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/blas/alternative)

add_custom_target(blas DEPENDS uskor_blas uskor_blas_alternative)
install(TARGETS uskor_blas LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES $<TARGET_FILE:uskor_blas_alternative> DESTINATION ${CMAKE_INSTALL_LIBDIR}/uskor RENAME libblas.so.3)
