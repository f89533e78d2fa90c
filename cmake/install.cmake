# The manual page and the completions are printed by walpost itself, from its table of options.
set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
set(WALPOST_PAGES
    "man-page|walpost.1"
    "completion bash|walpost.bash"
    "completion zsh|_walpost"
    "completion fish|walpost.fish")
set(generated_files)
foreach(page IN LISTS WALPOST_PAGES)
  string(REPLACE "|" ";" parts "${page}")
  list(GET parts 0 arguments)
  list(GET parts 1 file)
  separate_arguments(arguments UNIX_COMMAND "${arguments}")
  add_custom_command(
    OUTPUT ${generated}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}
    COMMAND walpost ${arguments} > ${generated}/${file}
    DEPENDS walpost
    VERBATIM)
  list(APPEND generated_files ${generated}/${file})
endforeach()
add_custom_target(walpost_pages ALL DEPENDS ${generated_files})

install(FILES ${generated}/walpost.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${generated}/walpost.bash RENAME walpost
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${generated}/_walpost DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${generated}/walpost.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
