# The registry of ISAs. Each folder hw/isa/<folder>/ has an isa.cmake that calls
# hwc_isa once for each ISA of the folder; being there is all that it takes.
# What is made of them, in ${PROJECT_BINARY_DIR}/generated:
#   isa_registry.c  the table isa_registry of hw/isa.h
#   isa_tags.h      the tags of all folders, for core/event.h
#   map_isas.c      their names, which a mapping may give (mappings/mapping.h)

# hwc_isa(<name> PLACE <number> TRIPLE <triple>
#         [GUEST <option>...] [GUEST_INTEGER <option>...])
# Defined by isa_<name>.c beside the calling file, which defines
# `const struct isa isa_<name>`. PLACE is where it stands in lists. GUEST: more
# options of clang for the guest's runtime; GUEST_INTEGER: those by which code
# keeps off floating-point registers.
macro(hwc_isa name)
  cmake_parse_arguments(isa "" "PLACE;TRIPLE" "GUEST;GUEST_INTEGER" ${ARGN})
  list(APPEND hwc_isas ${isa_PLACE}/${name})
  set(hwc_isa_${name}_folder ${CMAKE_CURRENT_LIST_DIR})
  set(hwc_isa_${name}_triple ${isa_TRIPLE})
  set(hwc_isa_${name}_guest ${isa_GUEST})
  set(hwc_isa_${name}_guest_integer ${isa_GUEST_INTEGER})
endmacro()

set(hwc_isas "")
file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/hw/isa/*/isa.cmake)
foreach(file IN LISTS files)
  include(${file})
endforeach()
list(SORT hwc_isas COMPARE NATURAL)
list(TRANSFORM hwc_isas REPLACE "^.*/" "")

set(generated ${PROJECT_BINARY_DIR}/generated)
set(declarations "")
set(rows "")
set(names "")
set(includes "")
set(tags "")
foreach(name IN LISTS hwc_isas)
  string(APPEND declarations "extern const struct isa isa_${name};\n")
  string(APPEND rows "    &isa_${name},\n")
  string(APPEND names "    \"${name}\",\n")
  get_filename_component(folder ${hwc_isa_${name}_folder} NAME)
  if(NOT includes MATCHES "/${folder}/")
    string(APPEND includes "#include \"hw/isa/${folder}/tags.h\"\n")
    string(TOUPPER ${folder} folder)
    string(APPEND tags " \\\n    ${folder}_TAGS(X, THREAD, ORDER)")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${generated}/isa_registry.c @ONLY CONTENT
"#include \"hw/isa.h\"

@declarations@
const struct isa *const isa_registry[] = {
@rows@    NULL,
};
")
file(CONFIGURE OUTPUT ${generated}/map_isas.c @ONLY CONTENT
"#include \"mappings/mapping.h\"

const char *const map_isa_names[] = {
@names@    NULL,
};
")
file(CONFIGURE OUTPUT ${generated}/isa_tags.h @ONLY CONTENT
"#ifndef GENERATED_ISA_TAGS_H
#define GENERATED_ISA_TAGS_H

@includes@
#define ISA_TAGS(X, THREAD, ORDER)@tags@

#endif
")
