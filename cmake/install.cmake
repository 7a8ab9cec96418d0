# What `cmake --install` puts where. hwcheck finds its plugin and the guest's
# runtime in ../lib/hwcheck from its own folder; models, mappings and headers
# are built into it, the files are for reading and copying.
if(NOT TARGET hwcheck)
  return()
endif()

# The manual page and the completions are made from the table of options.
set(made ${PROJECT_BINARY_DIR}/release)
file(MAKE_DIRECTORY ${made})
set(release_files "")
function(hwc_release_file name)
  add_custom_command(OUTPUT ${made}/${name}
    COMMAND hwcheck help ${ARGN} > ${made}/${name}
    DEPENDS hwcheck
    VERBATIM)
  set(release_files ${release_files} ${made}/${name} PARENT_SCOPE)
endfunction()
hwc_release_file(hwcheck.1 --man)
hwc_release_file(hwcheck.bash --completion=bash)
hwc_release_file(_hwcheck --completion=zsh)
hwc_release_file(hwcheck.fish --completion=fish)
add_custom_target(hwc_release ALL DEPENDS ${release_files})

install(TARGETS hwcheck RUNTIME DESTINATION bin)
install(TARGETS hwc_plugin LIBRARY DESTINATION lib/hwcheck)
install(DIRECTORY ${PROJECT_BINARY_DIR}/guest DESTINATION lib/hwcheck
  FILES_MATCHING PATTERN "*.o" PATTERN "*.h" PATTERN "link.ld"
  PATTERN "obj" EXCLUDE PATTERN "CMakeFiles" EXCLUDE)
install(DIRECTORY frontend/include/ DESTINATION include)
install(DIRECTORY models mappings DESTINATION share/hwcheck
  FILES_MATCHING PATTERN "*.cat" PATTERN "*.map")
install(FILES README.md CHANGELOG.md LICENSE DESTINATION share/doc/hwcheck)
install(DIRECTORY docs DESTINATION share/doc/hwcheck)
install(FILES ${made}/hwcheck.1 DESTINATION share/man/man1)
install(FILES ${made}/hwcheck.bash RENAME hwcheck
  DESTINATION share/bash-completion/completions)
install(FILES ${made}/_hwcheck DESTINATION share/zsh/site-functions)
install(FILES ${made}/hwcheck.fish DESTINATION share/fish/vendor_completions.d)
