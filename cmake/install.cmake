# What `make install` installs: the program, its shims as plugins, and the C library (cmake/library.cmake).
install(TARGETS uskor RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
