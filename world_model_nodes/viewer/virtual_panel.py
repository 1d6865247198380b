# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Part of the panel: an agent of a virtual world is spoken to and pushed; what it sees."""

from __future__ import annotations

from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.errors import WorldModelError
from world_model_core.view.pushes import push_force
from world_model_core.view.virtual import NAME
from world_model_core.virtual_world.agents.wav_files import sound_of_wav
from world_model_nodes.viewer.microphone import has_microphone, record

if TYPE_CHECKING:
    from viser import GuiEvent

    from world_model_core.view.words import Words
    from world_model_core.virtual_world.agents.events import Sound
    from world_model_nodes.viewer.agent_actions import AgentActions
    from world_model_nodes.viewer.panels import Shown
    from world_model_nodes.viewer.virtual_topics import VirtualTopics
    from world_model_nodes.viewer.window import Window

# Longer texts are cut [characters].
LONGEST = 1000
# Of a push [N s].
IMPULSE, LEAST_IMPULSE, LARGEST_IMPULSE = 10.0, 0.01, 1000.0
NO_IMAGE = np.zeros((1, 1, 3), np.uint8)


class VirtualPanel:
    """
    Fields and buttons, shown while a virtual world is.

    The entity is the one that was picked last; at first, the first agent.

    Parameters
    ----------
    topics : VirtualTopics
    actions : AgentActions
    window : Window
    words : Words

    """

    def __init__(
        self, topics: VirtualTopics, actions: AgentActions, window: Window, words: Words
    ) -> None:
        self._topics, self._actions, self._window, self._words = topics, actions, window, words
        self._entity = ''
        self._drawn: Any = None
        gui: Any = window.server.gui
        self._folder = gui.add_folder(words['agent'], visible=False)
        with self._folder:
            self._contacts = gui.add_checkbox(words['contacts'], initial_value=True)
            self._name = gui.add_text(words['entity'], '', disabled=True)
            self._message = gui.add_text(words['message'], '', disabled=True, visible=False)
            self._add_speech(gui)
            self._add_push(gui)
            self._camera = gui.add_checkbox(words['camera'], initial_value=False)
            self._image = gui.add_image(NO_IMAGE, format='jpeg', visible=False)

    def update(self, shown: Shown) -> None:
        """Show what can be done with what is picked."""
        state = self._topics.state
        self._folder.visible = any(scene.name == NAME for scene in shown.scenes)
        picked = shown.selection.picked
        if picked in state.topics:
            self._entity = picked
        elif self._entity not in state.topics:
            self._entity = next(iter(state.agents), '')
        self._name.value = self._entity
        self._actions.choose(state.topics.get(self._entity, ''))
        self._topics.describe(self._entity)
        self._topics.show_contacts(shown=self._contacts.value is True)
        hears = self._actions.hears
        for each in (self._text, self._say, self._file, self._record):
            each.disabled = not hears
        self._push.disabled = not self._actions.can_be_pushed
        self._show_camera(state.cameras.get(self._entity, ()))

    def _add_speech(self, gui: Any) -> None:
        words = self._words
        self._text = gui.add_text(words['text'], '')
        self._say = gui.add_button(words['say'], icon='message')
        self._file = gui.add_upload_button(
            words['play_file'], icon='file-music', mime_type='audio/wav', hint=words['wav_hint']
        )
        self._record = gui.add_button(
            words['play_microphone'], icon='microphone', visible=has_microphone()
        )
        self._say.on_click(self._ask_to_say)
        self._file.on_upload(self._ask_to_play)
        self._record.on_click(self._ask_to_record)

    def _add_push(self, gui: Any) -> None:
        words = self._words
        self._impulse = gui.add_number(
            words['impulse'], IMPULSE, min=LEAST_IMPULSE, max=LARGEST_IMPULSE, step=0.01
        )
        self._push = gui.add_button(
            words['push'], icon='arrow-move-right', hint=words['push_hint']
        )
        self._push.on_click(self._ask_to_push)

    def _show_camera(self, cameras: tuple[int, ...]) -> None:
        """Show the first camera, if there is one and it is wished for."""
        self._camera.visible = bool(cameras)
        wanted = bool(cameras) and self._camera.value is True
        self._topics.show_camera(self._entity, cameras[0] if wanted else 0)
        image = self._topics.image
        self._image.visible = image is not None
        if image is not None and image is not self._drawn:
            self._drawn = image
            self._image.image = image

    # What follows is called by viser in threads of its own.

    def _ask_to_say(self, _: GuiEvent[Any]) -> None:
        self._window.call(partial(self._say_text, str(self._text.value)[:LONGEST]))

    def _ask_to_play(self, _: GuiEvent[Any]) -> None:
        self._window.call(partial(self._play_file, self._file.value.content))

    def _ask_to_record(self, _: GuiEvent[Any]) -> None:
        Thread(target=self._record_sound, name='microphone', daemon=True).start()

    def _ask_to_push(self, event: GuiEvent[Any]) -> None:
        if event.client is not None:
            viewpoint = np.array(event.client.camera.position)
            impulse = self._impulse.value
            self._window.call(partial(self._push_entity, viewpoint, impulse))

    def _record_sound(self) -> None:
        """Wait for the microphone in a thread."""
        self._window.call(partial(self._tell, self._words['listening']))
        try:
            sound = record()
        # The package documents no errors of its own.
        except Exception as error:  # noqa: BLE001
            self._window.call(partial(self._tell, str(error)))
        else:
            self._window.call(partial(self._play, sound))

    # What follows is called in the node.

    def _say_text(self, text: str) -> None:
        if text.strip():
            self._actions.say(text)
            self._text.value = ''
            self._tell('')

    def _play_file(self, data: bytes) -> None:
        try:
            self._play(sound_of_wav(data))
        except WorldModelError as error:
            self._tell(str(error))

    def _play(self, sound: Sound) -> None:
        self._actions.play(sound)
        self._tell(f'{self._words["played"]}: {sound.duration:.1f} s')

    def _push_entity(self, viewpoint: Any, impulse: float) -> None:
        scene = self._topics.scene()
        position = None if scene is None else scene.position_of(self._entity)
        if position is not None:
            self._actions.push(push_force(viewpoint, position, impulse, self._topics.state.step))

    def _tell(self, text: str) -> None:
        self._message.value, self._message.visible = text, bool(text)
