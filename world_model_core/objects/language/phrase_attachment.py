# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Phrase attachment: all ways to attach the phrases of a chain to each other, most probable first.

"the bowl on the table closest to the screen" has two parses: the table is closest, or the bowl.
A phrase may be attached to any earlier phrase that is not closed off by a later attachment
(projectivity: arcs do not cross), so that the open phrases form a stack. The number of parses
grows as the Catalan numbers; a beam keeps the most probable ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from world_model_core.objects.language.description_builder import QuestionError, describe
from world_model_core.objects.language.phrase_chain import LinkRole, Marker
from world_model_core.objects.query import VIEWPOINT_RELATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.objects.language.phrase_chain import Link, PhraseChain
    from world_model_core.objects.query import Description

__all__ = ['Attachment', 'attach_phrases']

# All parses of chains of up to five links are kept (42 is the fifth Catalan number).
_BEAM = 48
# Longer chains do not occur in real questions.
_MOST_LINKS = 12
# Costs, in phrases that are skipped: the nearest phrase is the most probable head.
_DISAGREEMENT = 3  # "the pillows on the chair that is ...": rather the chair
_COORDINATION = 2  # "near the sofa and the table": near both, rather than two goals


class Attachment(NamedTuple):
    """One way to attach a chain: its descriptions, and the cost that grammar assigns."""

    cost: int
    described: tuple[Description, ...]


class _State(NamedTuple):
    """
    A chain attached up to a link.

    `heads` has for each link the phrase to which it is attached (-1 for a new first phrase; for a
    viewpoint, the phrase that is seen from there), `open` the phrases to which more can be
    attached, outermost first, and `awaiting` those of them that lack the second side of a BETWEEN.
    """

    cost: int
    heads: tuple[int, ...]
    open: tuple[int, ...]
    awaiting: frozenset[int]


def attach_phrases(chain: PhraseChain) -> list[Attachment]:
    """
    Attach the phrases of a chain in all different ways, most probable first.

    Raises
    ------
    QuestionError
        If there is no way, or more than 12 links; the message names what is missing.

    """
    if len(chain.links) > _MOST_LINKS:
        raise QuestionError(
            f'a shorter description: {len(chain.links)} linked phrases exceed {_MOST_LINKS}'
        )
    states = [_State(0, (), (0,), frozenset({0} if chain.between else ()))]
    for link in chain.links:
        found = [after for state in states for after in _options(chain, state, link)]
        if not found:
            raise QuestionError(_missing_text(link))
        states = sorted(found, key=lambda state: state.cost)[:_BEAM]
    whole = [state for state in states if _may_close(chain, state.awaiting)]
    if not whole:
        raise QuestionError('the second object of "between"')
    return _describe(chain, whole)


def _describe(chain: PhraseChain, states: list[_State]) -> list[Attachment]:
    """Return the descriptions of all ways; if there are none, raise the first error."""
    found: dict[tuple[Description, ...], Attachment] = {}
    first_error: QuestionError | None = None
    for state in states:
        try:
            described = describe(chain, state.heads)
        except QuestionError as error:
            first_error = first_error or error
        else:
            found.setdefault(described, Attachment(state.cost, described))
    if first_error is not None and not found:
        raise first_error
    return list(found.values())


def _options(chain: PhraseChain, state: _State, link: Link) -> Iterator[_State]:
    """Generate all possible attachments of a link."""
    if link.role is LinkRole.JOIN:
        yield from _joins(chain, state, link)
        return
    if link.role is LinkRole.VIEW:
        yield from _views(chain, state)
        return
    for passed in range(len(state.open)):
        head = state.open[-1 - passed]
        if _allows(chain, state, head, link):
            cost = passed + _disagreement(chain, head, link)
            if link.marker is Marker.ALSO and len(state.open) > 1:
                # "the chair near the table and closest to the door": both belong to the chair.
                cost += abs(passed - 1) - passed
            yield from _open(chain, state, head, link, cost)


def _allows(chain: PhraseChain, state: _State, head: int, link: Link) -> bool:
    """Check whether a link may be attached to a phrase."""
    phrase = chain.phrases[head]
    if link.marker is Marker.IS:
        # The main verb of the sentence refers to its first phrase.
        return head == state.open[0]
    if link.role is LinkRole.ANCHOR:
        taken = any(
            earlier.role is LinkRole.ANCHOR and taker == head
            for earlier, taker in zip(chain.links, state.heads, strict=False)
        )
        return not taken and (phrase.closest is not None or phrase.ordinal is not None)
    return link.role is not LinkRole.PARTITIVE or phrase.noun is None or not phrase.noun.labels


def _open(chain: PhraseChain, state: _State, head: int, link: Link, cost: int) -> Iterator[_State]:
    """Attach a link to a phrase and update the open phrases."""
    node = len(state.heads) + 1
    kept = state.open[: state.open.index(head) + 1]
    leaf = (
        link.closed
        or link.phrase.is_region
        or link.role in {LinkRole.PREDICATE, LinkRole.PARTITIVE}
    )
    awaiting = state.awaiting & set(kept)
    if not _may_close(chain, state.awaiting - awaiting):
        return
    if link.role is LinkRole.BETWEEN:
        awaiting |= {node}
    opened = kept if leaf else (*kept, node)
    yield _State(state.cost + cost, (*state.heads, head), opened, awaiting)


def _joins(chain: PhraseChain, state: _State, link: Link) -> Iterator[_State]:
    """Join a phrase to a BETWEEN, to another anchor, or to the first phrase."""
    node = len(state.heads) + 1
    for passed in range(len(state.open)):
        place = len(state.open) - 1 - passed
        other = state.open[place]
        closed = state.awaiting & set(state.open[place + 1 :])
        head = _joined_head(chain, state, other)
        if (
            head is None
            or not _may_close(chain, closed)
            or (link.marker is Marker.IS and head != -1)
        ):
            continue
        cost = passed + (
            0 if other in state.awaiting or link.marker is Marker.IS else _COORDINATION
        )
        opened = (*state.open[:place], node)
        yield _State(state.cost + cost, (*state.heads, head), opened, state.awaiting & set(opened))


def _joined_head(chain: PhraseChain, state: _State, other: int) -> int | None:
    """Return the head of a phrase joined to another; None if it cannot be joined."""
    if other in state.awaiting:
        return other
    if other == 0:
        return None if chain.between else -1
    link = chain.links[other - 1]
    if link.role is not LinkRole.JOIN:
        # "between the door and the bed" is complete; "between the beds" may be, too.
        return None if link.role in {LinkRole.BETWEEN, LinkRole.VIEW} else other
    head = state.heads[other - 1]
    between = chain.links[head - 1].role is LinkRole.BETWEEN if head > 0 else chain.between
    return None if between else head


def _views(chain: PhraseChain, state: _State) -> Iterator[_State]:
    """Attach a viewpoint to the last phrase that is left, right, in front or behind."""
    node = len(state.heads) + 1
    for earlier in range(len(state.heads), 0, -1):
        if chain.links[earlier - 1].kind in VIEWPOINT_RELATIONS:
            heads = (*state.heads, earlier)
            yield _State(state.cost, heads, (*state.open, node), state.awaiting)
            return


def _may_close(chain: PhraseChain, awaiting: frozenset[int]) -> bool:
    """Check whether each phrase may be both sides of a BETWEEN: "the two columns"."""
    return all(
        chain.phrases[node].plural or chain.phrases[node].number_ambiguous for node in awaiting
    )


def _disagreement(chain: PhraseChain, head: int, link: Link) -> int:
    phrase = chain.phrases[head]
    if link.plural_verb is None or phrase.number_ambiguous or phrase.plural == link.plural_verb:
        return 0
    return _DISAGREEMENT


def _missing_text(link: Link) -> str:
    """Describe what a link lacks."""
    if link.role is LinkRole.JOIN:
        return 'the objects that "and" joins'
    if link.role is LinkRole.VIEW:
        return 'the object that is left, right, in front or behind from this viewpoint'
    if link.role is LinkRole.ANCHOR:
        return 'the object that is closest or farthest'
    return f'what is {link.kind.value if link.kind else "so"}'
