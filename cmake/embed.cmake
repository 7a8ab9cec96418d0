# Run by hwc_embed: writes the table TABLE of the texts of FILES to OUT.
# A name in the table is the file's path below FOLDER.
set(rows "")
foreach(file IN LISTS FILES)
  file(READ ${file} text)
  file(RELATIVE_PATH name ${FOLDER} ${file})
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "?" "\\?" text "${text}") # C11 still has trigraphs
  string(REPLACE "\n" "\\n\"\n     \"" text "${text}")
  string(APPEND rows "    {\"${name}\",\n     \"${text}\"},\n")
endforeach()
file(WRITE ${OUT} "#include \"core/embedded.h\"

#include <stddef.h>

const struct embedded_file ${TABLE}[] = {
${rows}    {NULL, NULL},
};
")
