# The libraries that are not the mission: jansson for JSON, libpng for pictures, libseccomp for the walls around
# strangers' code, SQLite for the store. What tools/setup installs is found here.
add_library(uskor_dependencies INTERFACE)

# A pkg-config module ("name" or "name>=version"); in a portable build, the archives that hold it.
function(uskor_depend wanted)
  string(REGEX REPLACE "[<>=].*" "" module ${wanted})
  pkg_check_modules(${module} REQUIRED IMPORTED_TARGET ${wanted})
  if(NOT USKOR_PORTABLE)
    target_link_libraries(uskor_dependencies INTERFACE PkgConfig::${module})
    return()
  endif()
  target_include_directories(uskor_dependencies INTERFACE ${${module}_INCLUDE_DIRS})
  foreach(archive IN LISTS ARGN)
    find_library(USKOR_${archive} NAMES ${archive} REQUIRED)
    target_link_libraries(uskor_dependencies INTERFACE ${USKOR_${archive}})
  endforeach()
endfunction()

uskor_depend(jansson libjansson.a)
uskor_depend(sqlite3>=3.35 libsqlite3.a) # RETURNING; the library found at run time is asked too
uskor_depend(libpng libpng.a libz.a)
uskor_depend(libseccomp>=2.5 libseccomp.a)
# Zydis decodes x86-64. Debian 12's has no archive: a portable program made there opens the library where there is one.
find_package(zydis 4.0 REQUIRED CONFIG)
find_library(USKOR_zydis NAMES libZydis.a)
find_library(USKOR_zycore NAMES libZycore.a)
if(NOT USKOR_PORTABLE)
  target_link_libraries(uskor_dependencies INTERFACE Zydis::Zydis)
elseif(USKOR_zydis AND USKOR_zycore)
  target_link_libraries(uskor_dependencies INTERFACE ${USKOR_zydis} ${USKOR_zycore})
else()
  get_target_property(configuration Zydis::Zydis IMPORTED_CONFIGURATIONS)
  list(GET configuration 0 configuration)
  get_target_property(file Zydis::Zydis IMPORTED_SONAME_${configuration})
  set_source_files_properties(src/explain/compiled/decoder.c PROPERTIES COMPILE_DEFINITIONS USKOR_ZYDIS_FILE="${file}")
  target_include_directories(uskor_dependencies SYSTEM INTERFACE $<TARGET_PROPERTY:Zydis::Zydis,INTERFACE_INCLUDE_DIRECTORIES>)
endif()
find_path(OPENCL_HEADERS CL/cl.h REQUIRED)
target_include_directories(uskor_dependencies SYSTEM INTERFACE ${OPENCL_HEADERS})
find_program(USKOR_MSGFMT msgfmt REQUIRED) # gettext's compiler of translations
