# The short front of CMake for the daily work. `make` says what there is.

FUZZ_SECONDS ?= 60
CHAOS_SECONDS ?= 900

help:
	@sed -n 's/^\([a-z]*\):.*# /  make \1	/p' Makefile | expand -t 20

build: # the program, at build/release/merels
	@scripts/setup run
	@scripts/build release:merels

wasm: # the core for the browser, at build/wasm/merels.wasm
	@scripts/setup run
	@scripts/build wasm

web: # the web client, in web/dist
	@scripts/setup run
	@scripts/build wasm web

run: # build and serve; ARGS="--listen 0.0.0.0:8000" goes to `merels serve`
	@./run $(ARGS)

test: # the tests of the dev build (fast to build, assertions on)
	@scripts/setup check
	@scripts/build dev wasm web
	@ctest --test-dir build/dev -j "$$(nproc)" --output-on-failure $(ARGS)

check: # everything that proves the project: all builds, all tests, fuzzers, lint
	@./check $(ARGS)

fmt: # lay out the C sources as .clang-format says
	@scripts/setup check
	@scripts/lint fix

lint: # layout, includes, scripts, and clang-tidy
	@scripts/setup check
	@scripts/build release
	@scripts/lint || [ $$? -eq 77 ]

analyze: # follow every path through every function with clang's analyzer; ten minutes of one processor
	@scripts/setup check
	@scripts/build release
	@scripts/lint analyze

fuzz: # run each fuzzer for FUZZ_SECONDS (60)
	@scripts/setup check
	@scripts/fuzz $(FUZZ_SECONDS)

bench: # measure rules and search of this machine's release build
	@scripts/setup run
	@scripts/build release:merels
	@build/release/merels bench rules
	@build/release/merels bench search

soak: # a hundred kills under load, a failing disk, and half an hour at half load; about three quarters of an hour
	@scripts/setup check
	@scripts/build release:merels release:noloss release:soak
	@build/release/tests/load/noloss kills 100
	@build/release/tests/load/noloss full || [ $$? -eq 77 ]
	@build/release/tests/load/noloss fails
	@build/release/tests/load/soak 1800 5000

chaos: # three nodes, PostgreSQL, NATS and the network between them fail at random for CHAOS_SECONDS (900)
	@scripts/setup check
	@scripts/build release:merels release:chaos
	@build/release/tests/cluster/chaos $(CHAOS_SECONDS) $(ARGS)

lighthouse: # Lighthouse's word on the web client; installs it first (npm, 186 MB, into web/measure)
	@scripts/setup check
	@scripts/build release:merels wasm web
	@[ -d web/measure/node_modules ] || (cd web/measure && npm install --ignore-scripts --no-package-lock)
	@node web/measure/lighthouse.mjs $(ARGS)

screenshots: # every page in three sizes and both themes, in build/screenshots, to be looked at
	@scripts/setup check
	@scripts/build release:merels wasm web
	@cd web && MERELS_SCREENSHOTS=../build/screenshots MERELS_WASM=../build/wasm/merels.wasm MERELS_DIST=dist \
		MERELS_PROGRAM=../build/release/merels MERELS_VECTORS=../tests/vectors node test/run.mjs screenshots $(ARGS)

frames: # how smoothly the board goes on a processor that is four times slower
	@scripts/setup check
	@scripts/build release:merels wasm web
	@node web/measure/frames.mjs $(ARGS)

fit: # fit the weights of the evaluation anew; about half an hour
	@scripts/setup check
	@scripts/fit

clean: # remove all that was built
	rm -rf build web/dist

.PHONY: help build wasm web run test check fmt lint analyze fuzz bench soak chaos lighthouse frames screenshots fit clean
