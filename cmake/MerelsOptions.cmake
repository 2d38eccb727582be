# Compiler settings that hold for every target.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(MRL_WERROR "Warnings are errors" OFF)
option(MRL_FUZZ "Build the fuzzers (clang only)" OFF)
set(MRL_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")

# Every x86-64 processor since 2009 counts bits in one instruction; without this flag the compiler may not use it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
	set(MRL_MARCH "x86-64-v2" CACHE STRING "Processor to build for, as for -march=; empty for the compiler's default")
else()
	set(MRL_MARCH "" CACHE STRING "Processor to build for, as for -march=; empty for the compiler's default")
endif()
if(MRL_MARCH)
	add_compile_options(-march=${MRL_MARCH})
endif()

add_compile_options(
	-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
	-Wundef -Wformat=2 -Wcast-qual -Wwrite-strings -Wimplicit-fallthrough -Wdouble-promotion -fno-common)
if(MRL_WERROR)
	add_compile_options(-Werror)
endif()

if(MRL_SANITIZE)
	add_compile_options(-fsanitize=${MRL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
	add_link_options(-fsanitize=${MRL_SANITIZE})
endif()
