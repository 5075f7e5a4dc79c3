# Builds files into the program as one C file with a table (src/base/embedded.h): the device rungs and the preludes, the
# report's style and script, publications, the tuned files of share/, and the translations of po/, which msgfmt compiles and checks.
# Called by CMake as a module, and by the build as a script: cmake -D OUTPUT=… -D ROOT=… -D CATALOGUES=…
# -D FILES=a|b -P embed.cmake.
# A compiled translation lies below CATALOGUES.
if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "|" ";" FILES "${FILES}")
  set(bodies "")
  set(table "")
  set(number 0)
  foreach(file IN LISTS FILES)
    set(path ${ROOT}/${file})
    if(file MATCHES "\\.mo$")
      set(path ${CATALOGUES}/${file})
    endif()
    if(KERNELS AND file MATCHES "\\.jsonl$")
      file(STRINGS ${path} lines REGEX "\"(${KERNELS}):|\"transfers\"" ENCODING UTF-8)
      list(JOIN lines "\n" lines)
      set(path ${OUTPUT}.lines)
      file(WRITE ${path} "${lines}\n")
    endif()
    file(READ ${path} hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    string(APPEND bodies "static const char file_${number}[] = {${bytes}0};\n")
    string(APPEND table "    {\"${file}\", file_${number}, sizeof file_${number} - 1},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(WRITE ${OUTPUT}.new
       "#include <string.h>\n#include \"base/embedded.h\"\n\n${bodies}\n"
       "const struct embedded_file embedded_files[] = {\n${table}    {0, 0, 0},\n};\n"
       "const size_t embedded_file_count = ${number};\n\n"
       "const struct embedded_file *embedded_find(const char *path)\n{\n"
       "    for (size_t i = 0; i < embedded_file_count; i++)\n"
       "        if (strcmp(embedded_files[i].path, path) == 0)\n"
       "            return &embedded_files[i];\n"
       "    return NULL;\n}\n")
  file(RENAME ${OUTPUT}.new ${OUTPUT})
  return()
endif()

# uskor_embed_devices(RESULT NAME KERNELS…): of all these only the device sources of these kernels and the tuned files' lines
# about them and about copies, in a file NAME.c.
function(uskor_embed_devices result name)
  set(root ${PROJECT_SOURCE_DIR}/src)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${root} ${root}/*.cl ${root}/*.clh ${root}/*.cu ${root}/*.cuh)
  string(REPLACE ";" "|" kernels "${ARGN}")
  list(FILTER files INCLUDE REGEX "^(backends/(cuda|opencl|prelude)|backends/[^/]*$|kernels/[^/]*$|kernels/(${kernels})/)")
  list(FILTER files EXCLUDE REGEX "/skeleton")
  file(GLOB tuned CONFIGURE_DEPENDS RELATIVE ${root} ${PROJECT_SOURCE_DIR}/share/uskor/tuned/*.jsonl)
  list(APPEND files ${tuned})
  list(SORT files)
  set(depends ${files})
  list(TRANSFORM depends PREPEND ${root}/)
  set(output ${PROJECT_BINARY_DIR}/generated/${name}.c)
  string(REPLACE ";" "|" joined "${files}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D ROOT=${root} -D CATALOGUES= "-DFILES=${joined}"
            "-DKERNELS=${kernels}" -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${depends} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  set(${result} ${output} PARENT_SCOPE)
endfunction()

function(uskor_embed result)
  set(root ${PROJECT_SOURCE_DIR}/src)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${root} ${root}/*.cl ${root}/*.clh ${root}/*.cu ${root}/*.cuh
       ${root}/*.glsl ${root}/*.c.txt ${root}/kernels/*.c ${root}/explain/memory/lane.h ${root}/report/html/*.css
       ${root}/report/html/*.js ${root}/publications/*.json)
  file(GLOB tuned CONFIGURE_DEPENDS RELATIVE ${root} ${PROJECT_SOURCE_DIR}/share/uskor/tuned/*.jsonl)
  list(APPEND files ${tuned})
  list(FILTER files EXCLUDE REGEX "^vendor_shims/")
  list(SORT files)
  set(depends ${files})
  list(TRANSFORM depends PREPEND ${root}/)
  set(output ${PROJECT_BINARY_DIR}/generated/embedded.c)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated/po)
  file(GLOB languages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/po/*.po)
  foreach(language IN LISTS languages)
    get_filename_component(code ${language} NAME_WE)
    set(catalogue ${PROJECT_BINARY_DIR}/generated/po/${code}.mo)
    add_custom_command(OUTPUT ${catalogue} COMMAND ${USKOR_MSGFMT} --check --output-file=${catalogue} ${language}
                       DEPENDS ${language} VERBATIM)
    list(APPEND files po/${code}.mo)
    list(APPEND depends ${catalogue})
  endforeach()
  string(REPLACE ";" "|" joined "${files}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D ROOT=${root} -D CATALOGUES=${PROJECT_BINARY_DIR}/generated
            "-DFILES=${joined}" -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${depends} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  set(${result} ${output} PARENT_SCOPE)
endfunction()
