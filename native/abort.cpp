// Nobody reads what the standard library would print when it gives up in a page, and what prints it is 14 kB. This is linked
// first, so that the library's own is left out.
#if defined(__wasm__)

#include <cstdarg>
#include <cstdio>

extern "C" int vfprintf(FILE*, const char*, va_list) { return 0; }

#endif
