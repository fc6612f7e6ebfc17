// The standard library prints a message before it aborts. Nobody reads it in a page, and the code that prints it is 14 kB.
// This empty `vfprintf` is linked first, so that the library's own is left out.
#if defined(__wasm__)

#include <cstdarg>
#include <cstdio>

extern "C" int vfprintf(FILE*, const char*, va_list) { return 0; }

#endif
