# The C library (include/uskor.h), shared and static, and what `make install` installs.

# Both hold src/library and, of all other objects, only those that it needs. Only uskor_* is seen from outside.
file(GLOB USKOR_LIBRARY_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/library/*.c)
add_library(uskor_shared SHARED ${USKOR_LIBRARY_SOURCES})
set_target_properties(uskor_shared PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON) # as the program's
target_link_libraries(uskor_shared PRIVATE uskor_objects)
target_link_options(uskor_shared PRIVATE -Wl,--exclude-libs,ALL)
set_target_properties(uskor_shared PROPERTIES OUTPUT_NAME uskor VERSION ${PROJECT_VERSION}
                                              SOVERSION ${PROJECT_VERSION_MAJOR})

# Hidden symbols are still global in an archive, where they would meet the user's own: so one object is made of all, and
# its hidden symbols become local.
set(USKOR_ARCHIVE ${PROJECT_BINARY_DIR}/libuskor.a)
add_custom_command(
  OUTPUT ${USKOR_ARCHIVE}
  COMMAND ${CMAKE_LINKER} -r -o uskor-library.o $<TARGET_OBJECTS:uskor_shared> $<TARGET_FILE:uskor_objects>
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden uskor-library.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${USKOR_ARCHIVE}
  COMMAND ${CMAKE_AR} qcs ${USKOR_ARCHIVE} uskor-library.o
  DEPENDS uskor_shared uskor_objects $<TARGET_OBJECTS:uskor_shared>
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(uskor_static ALL DEPENDS ${USKOR_ARCHIVE})

# The pkg-config file finds the prefix from its own place, so that an installation may be moved or staged.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH USKOR_PREFIX_FROM_PACKAGE ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" USKOR_PREFIX_FROM_PACKAGE "${USKOR_PREFIX_FROM_PACKAGE}")
# Libraries that a program with the archive links as well. Compilers other than gcc keep their OpenMP in a folder of their own.
set(USKOR_PRIVATE_LIBRARIES ${OpenMP_C_LIB_NAMES} jansson m ${CMAKE_DL_LIBS})
list(REMOVE_DUPLICATES USKOR_PRIVATE_LIBRARIES)
list(TRANSFORM USKOR_PRIVATE_LIBRARIES PREPEND -l)
if(OpenMP_omp_LIBRARY)
  get_filename_component(folder ${OpenMP_omp_LIBRARY} DIRECTORY)
  list(PREPEND USKOR_PRIVATE_LIBRARIES -L${folder})
endif()
list(JOIN USKOR_PRIVATE_LIBRARIES " " USKOR_PRIVATE_LIBRARIES)
configure_file(${PROJECT_SOURCE_DIR}/cmake/uskor.pc.in ${PROJECT_BINARY_DIR}/uskor.pc @ONLY)

install(TARGETS uskor RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS uskor_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${USKOR_ARCHIVE} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/uskor.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/uskor.pc DESTINATION ${package_folder})
