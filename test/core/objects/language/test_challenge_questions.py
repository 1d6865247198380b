# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Questions of the challenge and statements of VLA-3D are parsed as intended."""

import csv
import gzip
import json

import pytest

from world_model_core.objects.labels import normalize_label
from world_model_core.objects.language import Lexicon, parse_question
from world_model_core.objects.query import CountQuery, InstructionQuery, ReferenceQuery

TYPES = {
    'numerical': CountQuery,
    'object_reference': ReferenceQuery,
    'instruction_following': InstructionQuery,
}
# By scene, type and place in the file: all parses, written by hand.
MEANT = {
    ('arabic_room', 'numerical', 0): ('count a sofa+ [BELOW a window]',),
    ('arabic_room', 'object_reference', 0): (
        'find the pillow [CLOSEST the book [ON the stool]]',
        'find the pillow [CLOSEST the book] [ON the stool]',
    ),
    ('arabic_room', 'object_reference', 1): (
        'find the wall lamp [BETWEEN a door frame & a window]',
    ),
    ('arabic_room', 'instruction_following', 0): (
        'GO_NEAR the stool [BELOW the picture]; STOP_AT the small table [FARTHEST the column+]',
    ),
    ('arabic_room', 'instruction_following', 1): (
        (
            'GO_TO the potted plant [FARTHEST the hookah]; VIA_BETWEEN the #2 column+; '
            'STOP_AT the tray [ON the table]'
        ),
    ),
    ('chinese_room', 'numerical', 0): ('count a chair+ [bears ON a pillow+]',),
    ('chinese_room', 'object_reference', 0): (
        'find the bowl [ON the table [CLOSEST the folding screen]]',
        'find the bowl [ON the table] [CLOSEST the folding screen]',
    ),
    ('chinese_room', 'object_reference', 1): (
        'find the pillow [ON the chair [CLOSEST the tv]]',
        'find the pillow [ON the chair] [CLOSEST the tv]',
    ),
    ('chinese_room', 'instruction_following', 0): (
        'GO_NEAR the potted plant [ON the table]; STOP_AT the painting [NEAR the tv]',
    ),
    ('chinese_room', 'instruction_following', 1): (
        (
            'GO_NEAR the tea table [bears ON the elephant figurine]; STOP_AT the table '
            '[bears ON the horse figurine]; AVOID_BETWEEN the chair & the folding screen'
        ),
    ),
    ('home_building_1', 'numerical', 0): (
        'count a pillow+ [ON the sofa [BELOW the picture+]]',
        'count a pillow+ [ON the sofa] [BELOW the picture+]',
    ),
    ('home_building_1', 'object_reference', 0): ('find the clock [ON the tv cabinet]',),
    ('home_building_1', 'object_reference', 1): (
        'find the bowl [CLOSEST the knife rack [NEAR the trash can]]',
        'find the bowl [CLOSEST the knife rack] [NEAR the trash can]',
    ),
    ('home_building_1', 'instruction_following', 0): (
        (
            'GO_TO the coffee table [bears ON the kettle]; STOP_AT the dining table [NEAR '
            'the big picture]'
        ),
    ),
    ('home_building_1', 'instruction_following', 1): (
        (
            'GO_TO the nightstand [bears ON a clock]; VIA_BETWEEN the dining table & the '
            'picture; STOP_AT the trash can [CLOSEST the refrigerator]'
        ),
    ),
    ('home_building_2', 'numerical', 0): ('count a red pillow+ [ON the sofa]',),
    ('home_building_2', 'object_reference', 0): (
        'find the lamp [ON the nightstand [bears ON the photo]]',
        'find the lamp [ON the nightstand] [bears ON the photo]',
    ),
    ('home_building_2', 'object_reference', 1): (
        'find the speaker [ON the tv cabinet [CLOSEST the potted plant [ON the tv cabinet]]]',
        'find the speaker [ON the tv cabinet [CLOSEST the potted plant] [ON the tv cabinet]]',
        'find the speaker [ON the tv cabinet] [CLOSEST the potted plant [ON the tv cabinet]]',
        'find the speaker [ON the tv cabinet [CLOSEST the potted plant]] [ON the tv cabinet]',
        'find the speaker [ON the tv cabinet] [CLOSEST the potted plant] [ON the tv cabinet]',
    ),
    ('home_building_2', 'instruction_following', 0): (
        'GO_NEAR the magazine [ON the ottoman]; GO_TO the potted plant [ON the dressing table]',
    ),
    ('home_building_2', 'instruction_following', 1): (
        (
            'VIA_BETWEEN the sofa & the coffee table; GO_TO the kettle [ON the dining '
            'table]; GO_TO the potted plant [BETWEEN the curtain & the tv]'
        ),
    ),
    ('hotel_room_1', 'numerical', 0): ('count a pillow+ [ON the bed]',),
    ('hotel_room_1', 'object_reference', 0): ('find the bedside table [FARTHEST the window]',),
    ('hotel_room_1', 'object_reference', 1): (
        'find the picture [ABOVE the suitcase [FARTHEST the floor]]',
        'find the picture [ABOVE the suitcase] [FARTHEST the floor]',
    ),
    ('hotel_room_1', 'instruction_following', 0): (
        'GO_TO the bedside table [CLOSEST the window]; STOP_AT the chair [CLOSEST the tv]',
    ),
    ('hotel_room_1', 'instruction_following', 1): (
        (
            'GO_NEAR the bedside table [CLOSEST the bench]; VIA_BETWEEN the tv & the bed; '
            'GO_TO the picture [CLOSEST the tv]'
        ),
    ),
    ('hotel_room_2', 'numerical', 0): ('count a picture+ [ABOVE the bed]',),
    ('hotel_room_2', 'object_reference', 0): ('find the flower+ [NEAR the window]',),
    ('hotel_room_2', 'object_reference', 1): ('find the picture [CLOSEST the bench]',),
    ('hotel_room_2', 'instruction_following', 0): (
        'VIA_BETWEEN the bench & the bed; STOP_AT the lamp [CLOSEST the fireplace]',
    ),
    ('hotel_room_2', 'instruction_following', 1): (
        (
            'GO_TO the picture [CLOSEST the door]; VIA_BETWEEN the tv cabinet & the bed; '
            'STOP_AT the curtain [CLOSEST the tv]'
        ),
    ),
}
KINDS = {
    'above': 'ABOVE', 'below': 'BELOW', 'between': 'BETWEEN', 'closest': 'CLOSEST',
    'farthest': 'FARTHEST', 'in': 'IN', 'near': 'NEAR', 'on': 'ON',
}  # fmt: skip


@pytest.fixture(scope='module')
def questions(shared_data):
    """Load the questions of six scenes."""
    scenes = json.loads(shared_data('vla/questions/challenge_questions_part.json').read_text())
    return {scene['scene']: scene['questions'] for scene in scenes}


@pytest.mark.parametrize(('scene', 'kind', 'place'), MEANT)
def test_challenge_questions_are_parsed_as_intended(questions, notate, scene, kind, place):
    """Each has its type in the challenge, and exactly the listed parses."""
    parse = parse_question(questions[scene][kind][place], Lexicon(()))
    assert {type(query) for query in parse.queries} == {TYPES[kind]}
    assert tuple(map(notate, parse.queries)) == MEANT[scene, kind, place]


def test_every_challenge_question_is_listed(questions):
    """No question of the file is left out."""
    filed = {
        (scene, kind, place)
        for scene, kinds in questions.items()
        for kind, asked in kinds.items()
        for place in range(len(asked))
    }
    assert filed == set(MEANT)


def test_statements_are_parsed_as_generated(shared_data):
    """Target, relation, rank, anchors, colors and sizes equal those in VLA-3D's record."""
    checked = 0
    for path in sorted(shared_data('vla/vla3d').glob('*/*_statements.json.gz')):
        table = next(path.parent.glob('*_object_result.csv'))
        rows = list(csv.DictReader(table.open()))
        lexicon = Lexicon({row['raw_label'] for row in rows}, {row['nyu_label'] for row in rows})
        regions = json.loads(gzip.decompress(path.read_bytes()))['regions']
        for statements in regions.values():
            for text, meanings in statements.items():
                if isinstance(meanings, list):
                    for meant in meanings:
                        assert_means(parse_question(text, lexicon), meant)
                    checked += 1
    assert checked > 0


def assert_means(parse, meant):
    """Compare a parse with the record of a statement."""
    assert len(parse.queries) == 1, parse
    assert isinstance(parse.queries[0], ReferenceQuery)
    target = parse.queries[0].target
    assert_is(target, meant['target_class'], meant['target_color_used'], meant['target_size_used'])
    (relation,) = target.relations
    assert relation.kind.name == KINDS[meant['relation']]
    assert relation.rank == ranked(parse.text)
    anchors = list(meant['anchors'].values())
    said = relation.anchors if len(relation.anchors) > 1 else relation.anchors * len(anchors)
    for description, anchor in zip(said, anchors, strict=True):
        assert_is(description, anchor['class'], anchor['color_used'], anchor['size_used'])


def ranked(text):
    """Return the rank in a statement."""
    return 2 if ' second ' in text else 3 if ' third ' in text else 1


def assert_is(description, label, color, size):
    """Compare a description with a record's class, color and size; blank means not stated."""
    assert normalize_label(label) in description.labels
    assert ' '.join(description.colors) == color.strip()
    assert (description.size or '') == size.strip()
