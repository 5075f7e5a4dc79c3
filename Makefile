# A thin front for CMake, so that a clone needs one word: `make help` lists them.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Two tests more than cores: a third of their time they wait.
TEST_JOBS ?= $(shell expr $(JOBS) + 2)
VERSION = $(shell sed -n 's/^project.uskor VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
SECONDS = 60
SEED = 42
COUNT = 200
TESTS =
CLANG ?= clang
KERNEL = transpose sort dot pipeline matmul resize wave

# $(call build,FOLDER,OPTIONS): configures the folder when it is new (with Ninja where there is one), then builds it.
ninja = $$(command -v ninja >/dev/null && echo -G Ninja)
configure = { [ -f $(1)/build.ninja ] || [ -f $(1)/Makefile ] || cmake $(ninja) -S . -B $(1) $(2); }
build = $(configure) && cmake --build $(1) -j $(JOBS)
# … and the tests; configured again, as the first time may have been before cmocka was there.
build_tests = $(configure) && cmake $(2) $(1) >/dev/null && cmake --build $(1) -j $(JOBS) --target all tests
# $(call ctest,FOLDER,OPTIONS): its tests, several at a time; each has a time limit.
ctest = ctest --test-dir $(1) --output-on-failure --no-tests=error -j $(TEST_JOBS) $(if $(TESTS),-R '$(TESTS)') $(2)

.PHONY: all lab test test-all test-report screenshots install uninstall wheel dist release rehearse setup tools format check-format messages lists stories tidy sanitize coverage mutants clang fuzz oclgrind simulate sanitize-cuda cross \
	clean distclean help
.NOTPARALLEL:

all: ## build build/uskor
	@tools/setup build
	@$(call build,build)

lab: ## set up, build, then measure everything on this machine and write the report (USKOR_INTEL=no: without oneAPI)
	@tools/setup build run extra
	@$(call build,build)
	@tools/intel fetch
	tools/intel run build/uskor lab

test: ## set up, build, run all tests, or those that the expression TESTS names: make test TESTS='^unit/'
	@tools/setup build test run extra
	@$(call build_tests,build)
	@$(call ctest,build,--timeout 600)

test-all: ## all tests and the long campaigns (tests/long; hours are allowed, minutes are usual)
	@tools/setup build test run extra long
	@$(call build_tests,build)
	@USKOR_LONG=1 $(call ctest,build,-C long --timeout 7200)

test-report: ## the report in a headless Chromium (installs it); screenshots to look at are left in build/report/
	@tools/setup build test run develop
	@$(call build_tests,build)
	@mkdir -p build/report
	@KEEP=$(CURDIR)/build/report ctest --test-dir build --output-on-failure --no-tests=error -R '^report/'

screenshots: ## pictures of a report with made-up figures, docs/report/*.webp: 390, 800, 1400 pixels wide, light and dark
	@tools/setup build test develop
	@$(call build_tests,build)
	@build/tests/make_store build/made-up.sqlite 1000
	@build/uskor report --store build/made-up.sqlite -o build/made-up.html --force
	@tools/screenshots build/made-up.html docs/report

# By the environment: a path may have blanks and quotes.
install uninstall: export PREFIX := $(PREFIX)
install uninstall: export DESTDIR := $(DESTDIR)
install: ## build and install below PREFIX (/usr/local), staged below DESTDIR when that is set
	@tools/setup build
	@cmake $(if $(wildcard build/CMakeCache.txt),,$(ninja)) -S . -B build -DCMAKE_INSTALL_PREFIX="$$PREFIX"
	@$(call build,build)
	@cmake --install build

uninstall: ## remove what `make install` has installed last from this folder
	@tools/uninstall build "$$DESTDIR"

wheel: ## the Python wheel, build/wheel/uskor-VERSION-py3-none-manylinux_2_28_x86_64.whl (docs/python.md)
	@tools/setup build python
	@tools/wheel

dist: ## a source archive of the last commit, build/uskor-VERSION.tar.gz; the same commit gives the same bytes
	@mkdir -p build
	@git archive --format=tar --prefix=uskor-$(VERSION)/ HEAD | gzip -9n >build/uskor-$(VERSION).tar.gz
	@echo build/uskor-$(VERSION).tar.gz

release: ## everything that a release has to pass, then the tag v$(VERSION) (docs/releasing.md)
	@tools/release $(VERSION)

rehearse: ## everything that `make release` runs, without the tag; what a person has yet to decide is listed
	@tools/release --rehearse $(VERSION)

setup: ## look again for what is missing, and install it
	@tools/setup --again build test run extra

tools: ## install the tools that the targets below use
	@tools/setup build test run extra simulate develop

format: ## bring every source into the house's form
	@tools/setup build develop
	@sh tests/house/format.sh . -i

check-format: ## say what `make format` would change
	@tools/setup build develop
	@sh tests/house/format.sh .

messages: ## collect the texts people read into po/, and list those that have no translation
	@tools/setup build
	@tools/messages

lists: ## write the lists of rungs in the kernels' pages anew
	@tools/setup build
	@$(call build,build)
	@for page in $(shell grep -l '^| *rung *|' src/kernels/*/*.md); do tools/list $$page build/uskor; done

stories: ## write the generated parts of the kernels' stories anew: quoted lines, measured figures, drawings
	@for page in $(shell grep -lE '^<!-- (quote|means|measured|trials) ' src/kernels/*/*.md docs/*.md); do tools/stories --write $$page; done

tidy: ## static analysis: clang-tidy over every C file that it has not passed yet as it stands
	@tools/setup build test develop
	@[ -z "$$(find .clang-tidy tests/.clang-tidy tests/faulty/.clang-tidy -newer build-tidy/CMakeCache.txt 2>/dev/null)" ] || rm -rf build-tidy
	@$(call configure,build-tidy,-DCMAKE_C_COMPILER=$(CLANG) -DCMAKE_BUILD_TYPE=Debug -DUSKOR_SHIMS=OFF \
		'-DCMAKE_C_CLANG_TIDY=clang-tidy;--quiet')
	@cmake --build build-tidy -j $(JOBS) --target all tests -- $$([ -f build-tidy/build.ninja ] && echo -k 0 || echo -k)
	@echo 'clang-tidy: nothing found'

sanitize: ## build with the address and undefined-behaviour sanitizers in build-sanitize/, run all tests
	@tools/setup build test run extra
	@$(call build_tests,build-sanitize,-DUSKOR_SANITIZE=address$(,)undefined)
	@$(call ctest,build-sanitize,--timeout 900)

coverage: ## build with counters in build-coverage/, run all tests, and show what of each folder has run
	@tools/setup build test run extra develop
	@$(call build_tests,build-coverage,-DUSKOR_COVERAGE=ON)
	@rm -f build-coverage/counters/*
	@$(call ctest,build-coverage,--timeout 900) || true
	@tools/coverage build-coverage

mutants: ## COUNT (200) random faults in the sources, by SEED (42): which of them the nearest tests find
	@tools/setup build test run extra develop
	@$(call build_tests,build)
	@$(call build_tests,build-coverage,-DUSKOR_COVERAGE=ON)
	@[ -f build-coverage/ran.json ] || tools/mutants --record build-coverage/ran.json --build build-coverage --jobs $(JOBS)
	@tools/mutants --seed $(SEED) --count $(COUNT) --jobs $(JOBS) --ran build-coverage/ran.json -o build/mutants-$(SEED).tsv

clang: ## build with clang, warnings being errors, in build-clang/, run all tests
	@tools/setup build test run extra simulate develop
	@$(call build_tests,build-clang,-DCMAKE_C_COMPILER=$(CLANG) -DUSKOR_WERROR=ON)
	@$(call ctest,build-clang,--timeout 600)

fuzz: ## fuzz every reader of files for SECONDS (60) each, with libFuzzer in build-fuzz/
	@tools/setup build develop
	@$(call build,build-fuzz,-DCMAKE_C_COMPILER=$(CLANG) -DUSKOR_FUZZ=ON -DUSKOR_SANITIZE=address$(,)undefined) \
		--target fuzzers
	@sh tests/fuzz/run.sh build-fuzz $(SECONDS)

# One ladder after another, several at a time; tests/oclgrind.sh says what is simulated.
oclgrind: ## device rungs of KERNEL (all) on a simulated device that finds races, accesses out of bounds and wrong calls
	@tools/setup build test run simulate
	@$(call build_tests,build)
	@sh tests/oclgrind.sh build/uskor build $(JOBS) $(KERNEL)

simulate: oclgrind

sanitize-cuda: ## every CUDA rung under compute-sanitizer: bounds, races, barriers, uninitialised memory; needs a GPU
	@tools/setup build
	@$(call build,build)
	@set -e; for tool in memcheck racecheck synccheck initcheck; do \
		echo "compute-sanitizer --tool $$tool"; \
		case $$tool in memcheck) only="--report-api-errors no" ;; *) only= ;; esac; \
		USKOR_CANARIES=none compute-sanitizer --tool $$tool $$only --error-exitcode 1 build/uskor check --small --device cuda:0; \
	done
	@tests/hardware/sanitized-devices.sh build/uskor build/sanitized-devices

cross: ## compile for 64-bit ARM in build-aarch64/ (objects only: nothing is linked or run; CROSS_CC: the compiler)
	@tools/setup build cross
	@$(call configure,build)
	@tools/cross-check

clean: ## remove what was built; what set-up fetched stays
	@find build -mindepth 1 -maxdepth 1 ! -name setup ! -name nvrtc ! -name nvdisasm ! -name intel ! -name site ! -name python -exec rm -rf {} + 2>/dev/null || true
	@rm -rf build-*/

distclean: ## remove everything that is not in the repository's history
	@rm -rf build build-*/

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

, := ,
