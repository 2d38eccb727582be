# The browser's core: 32-bit WebAssembly by plain clang and wasm-ld, no libc, nothing imported.
# Needs the distribution's clang and lld packages.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)

find_program(MRL_WASM_CLANG NAMES clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 REQUIRED)
set(CMAKE_C_COMPILER ${MRL_WASM_CLANG})
set(CMAKE_C_COMPILER_TARGET wasm32)

# There is no libc to link a test program with.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_C_FLAGS_INIT "-ffreestanding -fvisibility=hidden -msimd128") # SIMD: in every browser since 2023
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostdlib")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
