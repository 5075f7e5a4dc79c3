# The kernels' C files and a hash of each, as a table (src/choice/code_hash.c): a tuned file's time is of the code that was
# measured. Called by CMake as a module, and by the build as a script: cmake -D OUTPUT=… -D ROOT=… -D FILES=a|b -P.
if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "|" ";" FILES "${FILES}")
  set(table "")
  foreach(file IN LISTS FILES)
    file(SHA256 ${ROOT}/${file} hash)
    string(SUBSTRING ${hash} 0 8 hash)
    string(APPEND table "    {\"${file}\", 0x${hash}u},\n")
  endforeach()
  file(WRITE ${OUTPUT} "#include \"choice/code_hash.h\"\n\nconst struct code_file code_files[] = {\n${table}    {0, 0},\n};\n")
  return()
endif()

function(uskor_code_hashes result)
  set(root ${PROJECT_SOURCE_DIR}/src/kernels)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${root} ${root}/*/*.c ${root}/*/*.inc)
  list(SORT files)
  set(depends ${files})
  list(TRANSFORM depends PREPEND ${root}/)
  string(REPLACE ";" "|" joined "${files}")
  set(output ${PROJECT_BINARY_DIR}/generated/code_hashes.c)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D ROOT=${root} "-DFILES=${joined}" -P
            ${PROJECT_SOURCE_DIR}/cmake/code_hashes.cmake
    DEPENDS ${depends} ${PROJECT_SOURCE_DIR}/cmake/code_hashes.cmake
    VERBATIM)
  set(${result} ${output} PARENT_SCOPE)
endfunction()
