# The browser's core: 32-bit WebAssembly by plain clang and wasm-ld, no libc, nothing imported.
# Needs the distribution's clang, lld and llvm packages.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)

find_program(MRL_WASM_CLANG NAMES clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 REQUIRED)
find_program(MRL_WASM_AR NAMES llvm-ar llvm-ar-19 llvm-ar-18 llvm-ar-17 llvm-ar-16 llvm-ar-15 llvm-ar-14 REQUIRED)
find_program(MRL_WASM_RANLIB NAMES llvm-ranlib llvm-ranlib-19 llvm-ranlib-18 llvm-ranlib-17 llvm-ranlib-16
	llvm-ranlib-15 llvm-ranlib-14 REQUIRED)

set(CMAKE_C_COMPILER ${MRL_WASM_CLANG})
set(CMAKE_C_COMPILER_TARGET wasm32)
set(CMAKE_AR ${MRL_WASM_AR})
set(CMAKE_RANLIB ${MRL_WASM_RANLIB})

# There is no libc to link a test program with.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_C_FLAGS_INIT "-ffreestanding -fvisibility=hidden")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostdlib")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
