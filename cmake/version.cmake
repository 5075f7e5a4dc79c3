# The code's version, for measurements: the project's version and the commit, "0.1.0-1a2b3c4" ("+" when files were changed).
# Configured anew whenever HEAD moves.
find_package(Git QUIET)
set(USKOR_COMMIT "")
if(GIT_FOUND AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty=+ --exclude=* WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE USKOR_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(USKOR_COMMIT)
  set(USKOR_CODE_VERSION "${PROJECT_VERSION}-${USKOR_COMMIT}")
else()
  set(USKOR_CODE_VERSION "${PROJECT_VERSION}")
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/version.h
     CONTENT "#define USKOR_VERSION \"${PROJECT_VERSION}\"\n#define USKOR_CODE_VERSION \"${USKOR_CODE_VERSION}\"\n")
