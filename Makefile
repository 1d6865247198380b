# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
#
# A machine without ROS 2 needs nothing but this: each target sets up what it lacks.
# (A machine with ROS 2 needs nothing of this: colcon build, colcon test.)

PYTHON ?= python3
DISTRO ?= kilted
VENV ?= $(if $(filter jazzy,$(DISTRO)),.venv-jazzy,.venv)

SHELL := /bin/bash
PREFIX := $(abspath $(VENV))
RUN := PATH=$(PREFIX)/bin:$$PATH
PIP := $(RUN) python -m pip --quiet --disable-pip-version-check

# Nothing of a sourced ROS 2 may leak in; the last one is the wheels' own mark in a process that
# has its LD_LIBRARY_PATH already.
unexport PYTHONPATH PYTHONHOME LD_LIBRARY_PATH COLCON_PREFIX_PATH CMAKE_PREFIX_PATH
unexport RMW_IMPLEMENTATION ROS_DISTRO ROS_VERSION _ROS_WHEELS_BOOTSTRAP_COMPLETE
export AMENT_PREFIX_PATH := $(PREFIX)

# Stamps: each is written when its step is whole.
ROS := $(VENV)/.ros-$(DISTRO)
MESSAGES := $(VENV)/.messages
PROJECT := $(VENV)/.project
UNFINISHED := $(VENV)/.unfinished
SOURCES := $(sort $(shell find setup.py setup.cfg pyproject.toml package.xml bin config launch \
	resource world_model_core world_model_nodes -type f -not -path '*/__pycache__/*'))

.PHONY: help venv demo test lint types docs proto test-protobuf-oldest test-lark-newest \
	colcon bench clean distclean FORCE
.DELETE_ON_ERROR:

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 24
	@echo 'Variables: PYTHON=$(PYTHON) DISTRO=$(DISTRO) (or jazzy) VENV=$(VENV)'

venv: $(PROJECT) ## set up ROS 2 and the project in VENV

demo: $(PROJECT) ## watch a simulated match, and get a picture of it
	@$(RUN) tools/pip_ros/demo.sh

test: lint types colcon ## all checks and all tests

lint: $(PROJECT) ## ruff
	$(RUN) ruff check

types: $(PROJECT) ## mypy
	$(RUN) mypy

docs: $(PROJECT) ## build the documentation in build/docs; warnings are errors
	$(RUN) python -m sphinx --fail-on-warning --keep-going --quiet -b html docs build/docs

proto: $(PROJECT) ## make the descriptor set of the league's messages anew
	$(RUN) python proto/build.py

test-protobuf-oldest: $(PROJECT) $(VENV)/protobuf-4.21/.whole ## decode with Ubuntu 24.04's protobuf
	$(RUN) PYTHONPATH=$(PREFIX)/protobuf-4.21 python -c \
		'import google.protobuf as p; assert p.__version__ == "4.21.12", p.__version__'
	$(RUN) PYTHONPATH=$(PREFIX)/protobuf-4.21 pytest test/core/match/ssl

test-lark-newest: $(PROJECT) $(VENV)/lark-1/.whole ## read questions with lark 1.x, as Ubuntu has it
	$(RUN) PYTHONPATH=$(PREFIX)/lark-1 python -c \
		'import lark; assert lark.__version__[0] == "1", lark.__version__'
	$(RUN) PYTHONPATH=$(PREFIX)/lark-1 pytest test/core/objects/test_language*.py

colcon: $(PROJECT) ## build and run all tests with colcon, as on a ROS 2 machine
	$(RUN) tools/pip_ros/colcon.sh build/colcon

bench: $(PROJECT) ## measure speed
	$(RUN) python -m benchmarks

clean: ## remove what was built
	rm -rf build install log dist *.egg-info .mypy_cache .pytest_cache .ruff_cache demo.log demo.png

distclean: clean ## and the environments
	rm -rf .venv .venv-jazzy

$(ROS): tools/pip_ros/$(DISTRO).txt
	@tools/pip_ros/make_venv.sh '$(PYTHON)' '$(VENV)' '$(DISTRO)'
	@touch $@

# An interrupted pip can leave half a package that it later takes for whole: begin anew.
ifneq ($(wildcard $(UNFINISHED)),)
$(ROS): FORCE
endif

$(MESSAGES): $(ROS) $(shell find tools/pip_ros -name '*.py' -o -name '*.msg' -o -name '*_hashes.txt' -o -name '*.pth')
	$(RUN) python tools/pip_ros/install.py
	@touch $@

# Built outside of the source tree, so that nothing left there from another time gets in.
$(PROJECT): $(MESSAGES) $(SOURCES)
	@rm -rf $(VENV)/build && mkdir $(VENV)/build
	@printf '[build]\nbuild_base=$(PREFIX)/build\n[egg_info]\negg_base=$(PREFIX)/build\n' \
		> $(VENV)/build/setup.cfg
	DIST_EXTRA_CONFIG=$(PREFIX)/build/setup.cfg \
		$(PIP) wheel --no-deps --no-build-isolation --wheel-dir $(VENV)/build .
	@touch $(UNFINISHED)
	$(PIP) install --no-deps --force-reinstall $(VENV)/build/*.whl
	$(PIP) install "$$(echo $(VENV)/build/*.whl)[test,dev,docs]"
	@rm $(UNFINISHED)
	@$(RUN) python tools/pip_ros/link_executables.py
	@echo '$(SOURCES)' > $(VENV)/.sources
	@touch $@

# A file that went away is no newer than anything.
ifneq ($(shell cat $(VENV)/.sources 2>/dev/null),$(SOURCES))
$(PROJECT): FORCE
endif

$(VENV)/protobuf-4.21/.whole: $(MESSAGES)
	rm -rf $(@D)
	$(PIP) install --target $(@D) protobuf==4.21.12
	@touch $@

$(VENV)/lark-1/.whole: $(MESSAGES)
	rm -rf $(@D)
	$(PIP) install --target $(@D) 'lark>=1,<2'
	@touch $@
