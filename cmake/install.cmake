# What `make install` installs: the program, its shims as plugins, and the C library (cmake/library.cmake).
install(TARGETS uskor RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Man pages and completion are written by the program's own help, when it is installed.
if(NOT CMAKE_CROSSCOMPILING)
  set(USKOR_SHARE ${PROJECT_BINARY_DIR}/share)
  install(CODE "
    execute_process(COMMAND \"${CMAKE_COMMAND}\" -E rm -rf \"${USKOR_SHARE}\" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/tools/manual\" \"$<TARGET_FILE:uskor>\" \"${USKOR_SHARE}/man\" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/tools/completion\" \"$<TARGET_FILE:uskor>\" \"${USKOR_SHARE}/completion\" COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY ${USKOR_SHARE}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${USKOR_SHARE}/completion/uskor DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${USKOR_SHARE}/completion/_uskor DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${USKOR_SHARE}/completion/uskor.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(FILES LICENSE THIRD-PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# What a build carries of others comes with their licences' texts, where the system keeps them as Debian does (THIRD-PARTY.md).
set(carried libstb-dev libhwy-dev)
if(USKOR_PORTABLE)
  list(APPEND carried libjansson-dev libpng-dev zlib1g-dev libsqlite3-dev libseccomp-dev libzydis-dev libzycore-dev)
endif()
foreach(package IN LISTS carried)
  install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/licences RENAME ${package}.txt OPTIONAL)
endforeach()
