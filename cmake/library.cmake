# The C library (include/uskor.h), shared and static: target `library`. It holds src/library and, of all other objects,
# only those that it needs; five kernels with the rungs that it runs (served.def) and their device sources; no
# translations, reports or publications; no OpenMP: what would need it does not link.
file(GLOB USKOR_LIBRARY_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/library/*.c
     ${PROJECT_SOURCE_DIR}/src/library/standalone/*.c)
set(USKOR_LIBRARY_KERNELS transpose sort dot matmul resize)
foreach(kernel IN LISTS USKOR_LIBRARY_KERNELS)
  list(APPEND USKOR_LIBRARY_SOURCES ${PROJECT_SOURCE_DIR}/src/kernels/${kernel}/${kernel}.c)
endforeach()
uskor_embed_devices(USKOR_LIBRARY_EMBEDDED embedded_library ${USKOR_LIBRARY_KERNELS})

set(USKOR_SYMBOLS ${PROJECT_SOURCE_DIR}/src/library/symbols.map)
# Plans are made once for a shape: their code is small rather than fast.
foreach(plan half_choice mma_spans shape_choice vector_choice)
  set_source_files_properties(src/kernels/matmul/${plan}.c PROPERTIES COMPILE_OPTIONS -Os)
endforeach()
add_library(uskor_shared SHARED ${USKOR_LIBRARY_SOURCES} ${USKOR_LIBRARY_EMBEDDED})
target_compile_definitions(uskor_shared PRIVATE _GNU_SOURCE USKOR_LIBRARY)
target_include_directories(uskor_shared PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include
                                                ${PROJECT_BINARY_DIR}/generated)
add_dependencies(uskor_shared uskor_objects)
target_link_libraries(uskor_shared PRIVATE $<TARGET_FILE:uskor_objects> m ${CMAKE_DL_LIBS})
# A worker's code must stay where it is: nodelete.
target_link_options(uskor_shared PRIVATE -Wl,--exclude-libs,ALL -Wl,-z,nodelete -Wl,--gc-sections
                                         "SHELL:-Xlinker \"--version-script=${USKOR_SYMBOLS}\"") # -Wl would cut a path at a comma
if(NOT USKOR_SANITIZE)
  target_link_options(uskor_shared PRIVATE -Wl,-z,defs)
endif()
set_target_properties(uskor_shared PROPERTIES OUTPUT_NAME uskor VERSION ${PROJECT_VERSION}
                                              SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${USKOR_SYMBOLS}
                                              BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
# Debug information is a file of its own, which debuggers find by the library's build identifier or beside it.
set(USKOR_DEBUG ${PROJECT_BINARY_DIR}/libuskor.so.${PROJECT_VERSION}.debug)
add_custom_command(
  TARGET uskor_shared POST_BUILD
  COMMAND ${CMAKE_OBJCOPY} --only-keep-debug $<TARGET_FILE:uskor_shared> ${USKOR_DEBUG}
  COMMAND ${CMAKE_OBJCOPY} --strip-unneeded --add-gnu-debuglink=${USKOR_DEBUG} $<TARGET_FILE:uskor_shared>
  BYPRODUCTS ${USKOR_DEBUG}
  VERBATIM)

# Hidden symbols are still global in an archive, where they would meet the user's own: so one object is made of all, and
# its hidden symbols become local.
set(USKOR_ARCHIVE ${PROJECT_BINARY_DIR}/libuskor.a)
add_custom_command(
  OUTPUT ${USKOR_ARCHIVE}
  COMMAND ${CMAKE_LINKER} -r -o uskor-library.o $<TARGET_OBJECTS:uskor_shared> $<TARGET_FILE:uskor_objects>
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden --strip-debug uskor-library.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${USKOR_ARCHIVE}
  COMMAND ${CMAKE_AR} qcs ${USKOR_ARCHIVE} uskor-library.o
  DEPENDS uskor_shared uskor_objects $<TARGET_OBJECTS:uskor_shared>
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(uskor_static ALL DEPENDS ${USKOR_ARCHIVE})
add_custom_target(library DEPENDS uskor_shared uskor_static)

# The pkg-config file finds the prefix from its own place, so that an installation may be moved or staged. So does the
# CMake package.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH USKOR_PREFIX_FROM_PACKAGE ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" USKOR_PREFIX_FROM_PACKAGE "${USKOR_PREFIX_FROM_PACKAGE}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/uskor.pc.in ${PROJECT_BINARY_DIR}/uskor.pc @ONLY)
set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/uskor)
file(RELATIVE_PATH USKOR_PREFIX_FROM_CMAKE ${CMAKE_INSTALL_FULL_LIBDIR}/cmake/uskor ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/uskor-config.cmake.in ${PROJECT_BINARY_DIR}/uskor-config.cmake @ONLY)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/uskor-config-version.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS uskor_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${USKOR_DEBUG} DESTINATION ${CMAKE_INSTALL_LIBDIR}/.debug)
install(FILES ${USKOR_ARCHIVE} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/uskor.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/uskor.pc DESTINATION ${package_folder})
install(FILES ${PROJECT_BINARY_DIR}/uskor-config.cmake ${PROJECT_BINARY_DIR}/uskor-config-version.cmake
        DESTINATION ${cmake_folder})
