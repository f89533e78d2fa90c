# Compile options of our own code; libraries' headers come in as system headers.
add_library(walpost_options INTERFACE)
target_compile_options(walpost_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wformat=2
  -Wnon-virtual-dtor
  # Members that designated initializers leave out keep their defaults, which is what they are for.
  -Wno-missing-field-initializers
  # GCC 12 sees overlaps in std::string that are none (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(WALPOST_WERROR)
  target_compile_options(walpost_options INTERFACE -Werror)
endif()
if(WALPOST_SANITIZE)
  # GCC's manual: sanitizers make -Wmaybe-uninitialized report what is not so.
  target_compile_options(walpost_options INTERFACE
    -fsanitize=${WALPOST_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    -Wno-maybe-uninitialized)
  target_link_options(walpost_options INTERFACE -fsanitize=${WALPOST_SANITIZE})
else()
  # What Debian's own packages are built with, since walpost parses bytes from two networks.
  target_compile_options(walpost_options INTERFACE -fstack-protector-strong)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(walpost_options INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  endif()
  target_link_options(walpost_options INTERFACE -Wl,-z,relro,-z,now)
endif()
find_program(WALPOST_CCACHE ccache)
if(WALPOST_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${WALPOST_CCACHE})
endif()
