# The outcomes of a JSON report, one a line, and its verdicts.
/^\t\t\t\t\t"values":/ { line = ""; inside = 1; next }
inside && /^\t\t\t\t\t}/ { print line; inside = 0; next }
inside { gsub(/[\t,]/, ""); line = line " " $0 }
/"verdict":/ { sub(/.*:\t/, ""); print }
