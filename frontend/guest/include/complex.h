#error "<complex.h> is not supported"
