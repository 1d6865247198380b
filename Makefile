# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
#
# Tasks on a machine without ROS 2. Each target sets up what it needs.
# (A machine with ROS 2 does not need this file: colcon build, colcon test.)

PYTHON ?= python3
DISTRO ?= kilted
VENV ?= $(if $(filter jazzy,$(DISTRO)),.venv-jazzy,.venv)

SHELL := /bin/bash
PREFIX := $(abspath $(VENV))
RUN := PATH=$(PREFIX)/bin:$$PATH
# -qq: only errors; pip's warnings here are about its own version and configuration.
PIP := $(RUN) python -m pip -qq --disable-pip-version-check
PIP_INSTALL := $(PIP) install --root-user-action=ignore

# Variables of a sourced ROS 2 must not reach the environment. The last one marks a process in which the
# wheels have set LD_LIBRARY_PATH already.
unexport PYTHONPATH PYTHONHOME LD_LIBRARY_PATH COLCON_PREFIX_PATH CMAKE_PREFIX_PATH
unexport RMW_IMPLEMENTATION ROS_DISTRO ROS_VERSION _ROS_WHEELS_BOOTSTRAP_COMPLETE
export AMENT_PREFIX_PATH := $(PREFIX)
# Empty, or colcon would set it: each of the many processes of the tests would compile all modules.
export PYTHONDONTWRITEBYTECODE :=

# Stamps: each is written when its step has finished.
ROS := $(VENV)/.ros-$(DISTRO)
MESSAGES := $(VENV)/.messages
PROJECT := $(VENV)/.project
UNFINISHED := $(VENV)/.unfinished
UBUNTU := $(VENV)/ubuntu-24.04
UBUNTU_TESTS ?= test/core
ROOM ?= match
SEED ?= 1
COUNT ?= 100
SOURCES := $(sort $(shell find setup.py setup.cfg pyproject.toml package.xml bin config launch \
	resource world_model_core world_model_nodes worlds -type f -not -path '*/__pycache__/*'))

.PHONY: help venv demo pictures test lint types docs proto lock test-ubuntu-24.04 \
	colcon bench mutants clean distclean FORCE
.DELETE_ON_ERROR:

help: ## list the targets
	@sed -n 's/^\([a-z0-9.-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 24
	@echo 'Variables: PYTHON=$(PYTHON) DISTRO=$(DISTRO) (or jazzy) VENV=$(VENV)'

venv: $(PROJECT) ## set up ROS 2 and the project in VENV

demo: $(PROJECT) ## show a simulated match in the terminal, and draw it into demo.png and demo_errors.png
	@$(RUN) tools/pip_ros/demo.sh

pictures: $(PROJECT) ## take the pictures of the window in README.md, in Chromium
	$(RUN) python tools/window_pictures.py

test: lint types colcon ## all checks and all tests

lint: $(PROJECT) ## ruff
	$(RUN) ruff check

types: $(PROJECT) ## mypy
	$(RUN) mypy

docs: $(PROJECT) ## build the documentation in build/docs; warnings are errors
	$(RUN) python -m sphinx --fail-on-warning --keep-going --quiet -b html docs build/docs

proto: $(PROJECT) ## rebuild the descriptor set of the league's messages
	$(RUN) python proto/build.py

lock: $(ROS) ## update the pinned versions of all Python packages
	tools/pip_ros/lock.sh $(VENV)

test-ubuntu-24.04: $(PROJECT) $(UBUNTU)/.complete ## core tests with the Python packages of Ubuntu 24.04
	$(RUN) PYTHONPATH=$(UBUNTU) python tools/ubuntu_24_04/check_versions.py
	$(RUN) PYTHONPATH=$(UBUNTU) pytest -n auto --dist loadfile $(UBUNTU_TESTS)

colcon: $(PROJECT) ## build and run all tests with colcon, as on a ROS 2 machine
	$(RUN) tools/pip_ros/colcon.sh build/colcon

bench: $(PROJECT) ## measure speed
	$(RUN) python -m benchmarks

mutants: $(PROJECT) ## count the random faults that the tests of a room catch: ROOM=match SEED=1 COUNT=100
	$(RUN) python tools/mutants.py $(ROOM) --seed $(SEED) --count $(COUNT)

clean: ## remove what was built
	rm -rf build install log dist *.egg-info .mypy_cache .pytest_cache .ruff_cache demo.log demo.png demo_errors.png

distclean: clean ## and the environments
	rm -rf .venv .venv-jazzy

$(ROS): tools/pip_ros/$(DISTRO).txt
	@tools/pip_ros/make_venv.sh '$(PYTHON)' '$(VENV)' '$(DISTRO)'
	@touch $@

# An interrupted pip can leave a partial package that a later pip considers complete: start over.
ifneq ($(wildcard $(UNFINISHED)),)
$(ROS): FORCE
endif

$(MESSAGES): $(ROS) $(shell find tools/pip_ros -name '*.py' -o -name '*.pth' -o -path '*/interfaces/*' -type f)
	$(RUN) python tools/pip_ros/install.py
	@touch $@

# Built outside of the source tree, so that no files of an earlier build get into the package. All
# dependencies are installed already, in the versions of the lock file.
$(PROJECT): $(MESSAGES) $(SOURCES)
	@rm -rf $(VENV)/build && mkdir $(VENV)/build
	@printf '[build]\nbuild_base=$(PREFIX)/build\n[egg_info]\negg_base=$(PREFIX)/build\n' \
		> $(VENV)/build/setup.cfg
	DIST_EXTRA_CONFIG=$(PREFIX)/build/setup.cfg \
		$(PIP) wheel --no-deps --no-build-isolation --wheel-dir $(VENV)/build .
	@touch $(UNFINISHED)
	$(PIP_INSTALL) --no-deps --force-reinstall $(VENV)/build/*.whl
	@rm $(UNFINISHED)
	@$(RUN) python tools/pip_ros/link_executables.py
	@echo '$(SOURCES)' > $(VENV)/.sources
	@touch $@

# A deleted file does not make the stamp older, so the lists of files are compared.
ifneq ($(shell cat $(VENV)/.sources 2>/dev/null),$(SOURCES))
$(PROJECT): FORCE
endif

$(UBUNTU)/.complete: $(ROS) tools/ubuntu_24_04/versions.txt
	rm -rf $(UBUNTU)
	$(PIP_INSTALL) --no-warn-conflicts --target $(UBUNTU) --require-hashes \
		-r tools/ubuntu_24_04/versions.txt
	@touch $@
