# The library of the Python wheel: the objects of the C library, linked by the linker of the ziglang wheel, which knows the
# symbols that glibc 2.28 had. Only scikit-build-core gets here (pyproject.toml).
# Which instruction sets the processor has is asked of gcc's own libgcc: that of ziglang answers "none".
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-libgcc-file-name OUTPUT_VARIABLE USKOR_LIBGCC
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(USKOR_WHEEL_LIBRARY ${PROJECT_BINARY_DIR}/wheel/libuskor.so)
add_custom_command(
  OUTPUT ${USKOR_WHEEL_LIBRARY}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/wheel
  COMMAND ${Python_EXECUTABLE} -m ziglang cc -target x86_64-linux-gnu.2.28 -shared -s -o ${USKOR_WHEEL_LIBRARY}
          $<TARGET_OBJECTS:uskor_shared> $<TARGET_FILE:uskor_objects> ${USKOR_LIBGCC}
          -Wl,-soname,libuskor.so -Wl,--version-script=${USKOR_SYMBOLS} -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,relro
          -Wl,-z,now -Wl,--gc-sections -lm -ldl -lpthread
  DEPENDS uskor_shared uskor_objects $<TARGET_OBJECTS:uskor_shared> ${USKOR_SYMBOLS}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(wheel_library DEPENDS ${USKOR_WHEEL_LIBRARY})
install(FILES ${USKOR_WHEEL_LIBRARY} DESTINATION uskor COMPONENT python)
# Zig's runtime is inside it: its licence goes along (THIRD-PARTY.md).
execute_process(COMMAND ${Python_EXECUTABLE} -c "import ziglang; print(ziglang.__path__[0])" OUTPUT_VARIABLE USKOR_ZIGLANG
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${USKOR_ZIGLANG}/LICENSE DESTINATION uskor RENAME zig-licence.txt COMPONENT python)
