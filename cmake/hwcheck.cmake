# What the folders' CMakeLists.txt share.

# Where tools/setup unpacks libraries that the system does not have.
set(HWC_DEPS ${PROJECT_SOURCE_DIR}/.deps/usr)

# LLVM 19; empty variables when it is missing.
find_program(LLVM_CONFIG llvm-config-19)
foreach(what includedir libdir bindir)
  if(LLVM_CONFIG)
    execute_process(COMMAND ${LLVM_CONFIG} --${what}
      OUTPUT_VARIABLE llvm_${what} OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
endforeach()

# Sets warnings, sanitizers and link-time optimisation for all that follows.
macro(hwc_compiler_options)
  add_compile_definitions(_GNU_SOURCE)
  add_compile_options(
    -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
    -Wmissing-prototypes -Wvla)
  if(HWC_WERROR)
    add_compile_options(-Werror)
  endif()
  if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
    add_link_options(-fuse-ld=lld)
  endif()
  if(HWC_SANITIZE)
    add_compile_options(
      -fsanitize=${HWC_SANITIZE} -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${HWC_SANITIZE})
  endif()
  if(HWC_COVERAGE)
    add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
    add_link_options(-fprofile-instr-generate)
  endif()
  if(HWC_FUZZ)
    # The depth of the stack differs from run to run, by its alignment.
    add_compile_options(-fsanitize=fuzzer-no-link
      -fno-sanitize-coverage=stack-depth)
  endif()
  # Fat objects hold both forms: hwcheck is linked from the optimisable one,
  # the many tests from the machine code, which links much faster.
  if(HWC_LTO)
    if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
      set(hwc_lto_flags -flto=thin -ffat-lto-objects)
    else()
      set(hwc_lto_flags -flto=auto -ffat-lto-objects)
    endif()
    add_compile_options(${hwc_lto_flags})
  endif()
endmacro()

# hwc_library(<name> SOURCES <file>... [PUBLIC <lib>...] [PRIVATE <lib>...])
# One static library a folder. A folder without sources gives a library that
# only passes its dependencies on.
function(hwc_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  if(arg_SOURCES)
    add_library(${name} STATIC ${arg_SOURCES})
    target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${arg_PUBLIC})
  endif()
endfunction()

# hwc_embed(<table> <out> <folder> <file>...)
# Makes a C file that holds the text of the files as the table <table> (see
# core/embedded.h), so that the binary needs no files beside it; stores its path
# in <out>. A changed or new file makes it again.
function(hwc_embed table out folder)
  set(path ${PROJECT_BINARY_DIR}/generated/${table}.c)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  add_custom_command(
    OUTPUT ${path}
    COMMAND
      ${CMAKE_COMMAND} -DTABLE=${table} -DOUT=${path} -DFOLDER=${folder}
      "-DFILES=${ARGN}" -P ${script}
    DEPENDS ${ARGN} ${script}
    COMMENT "Embedding ${table}"
    VERBATIM)
  set(${out} ${path} PARENT_SCOPE)
endfunction()
