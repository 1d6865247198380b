# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
#
# A simulated match in a container. Not run yet.
#   docker build -t world_model . && docker run -it --rm world_model

ARG DISTRO=jazzy
FROM ros:${DISTRO}

SHELL ["/bin/bash", "-c"]
WORKDIR /workspace
COPY . src/world_model
RUN apt-get update \
    && rosdep update \
    && rosdep install --from-paths src --ignore-src -y \
    && apt-get install -y libegl1 libgl1-mesa-dri python3-pip \
    && python3 -m pip install --break-system-packages 'mujoco-core>=4.0.1' 'viser>=1.1.1,<1.2' \
    && rm -rf /var/lib/apt/lists/*
RUN source /opt/ros/${ROS_DISTRO}/setup.bash && colcon build

CMD source install/setup.bash \
    && (ros2 launch world_model ssl_sim.launch.xml > /tmp/match.log 2>&1 &) \
    && world_model watch
