# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""English questions in everyday wording are parsed as intended."""

import pytest

from world_model_core.objects.language import Lexicon, parse_question

LABELS = (
    'TV',
    'bathtub',
    'bed',
    'book',
    'bowl',
    'cabinet',
    'chair',
    'coffee table',
    'column',
    'curtain',
    'desk',
    'door',
    'folding screen',
    'glass',
    'kitchen cabinets',
    'lamp',
    'light',
    'mirror',
    'monitor',
    'nightstand',
    'object',
    'orange',
    'picture',
    'pillow',
    'potted plant',
    'refrigerator',
    'rug',
    'shelves',
    'sink',
    'sofa',
    'stand',
    'step',
    'table',
    'toilet',
    'trash can',
    'tv cabinet',
    'window',
)
# The likeliest parse of each, written down by hand.
MEANT = {
    'Which chair is closest to the window?': 'find the chair [CLOSEST the window]',
    'What is on the table?': 'find a * [ON the table]',
    'Where is the red lamp?': 'find the red lamp',
    'Is there a pillow on the bed?': 'find a pillow [ON the bed]',
    'The number of chairs near the table': 'count a chair+ [NEAR the table]',
    'How many chairs are there?': 'count a chair+',
    'How many chairs are there near the red table?': 'count a chair+ [NEAR the red table]',
    'How many chairs and tables are there in total?': 'count a chair|table+',
    'Count the pillows that are not on the bed.': 'count the pillow+ [not ON the bed]',
    'the chair without a pillow on it': 'find the chair [not bears ON a pillow]',
    'the chair that does not have a pillow on it': 'find the chair [not bears ON a pillow]',
    'the second closest chair to the window': 'find the chair [CLOSEST2 the window]',
    'the third chair from the window': 'find the chair [CLOSEST3 the window]',
    'the closest of the chairs to the door': 'find the chair [CLOSEST the door]',
    'the biggest table': 'find the BIGGEST1 table',
    'the table that is the biggest': 'find the BIGGEST1 table',
    'the left one of the two chairs': 'find the #1 LEFTMOST1 chair',
    'the chair on the left': 'find the LEFTMOST1 chair',
    'the leftmost chair': 'find the LEFTMOST1 chair',
    'the chair to the left of the table': 'find the chair [LEFT_OF the table]',
    'the chair left of the table as seen from the door': (
        'find the chair [LEFT_OF the table from the door]'
    ),
    'the chair behind the table when looking from the sofa': (
        'find the chair [BEHIND the table from the sofa]'
    ),
    'the chair near the table and closest to the window': (
        'find the chair [NEAR the table] [CLOSEST the window]'
    ),
    'the chair in the kitchen': 'find the chair @kitchen',
    'the lamp in the living room next to the sofa': 'find the lamp @livingroom [NEAR the sofa]',
    'the kitchen table': 'find the table @kitchen',
    'the lamp with a red pillow near it': 'find the lamp [bears NEAR a red pillow]',
    'the bed with two pillows on it': 'find the bed [bears ON a #2 pillow+]',
    'the table with nothing on it': 'find the table [not bears ON a *]',
    'Go to the sofa while avoiding the table': 'GO_TO the sofa; AVOID the table',
    'Go to the fridge without going near the TV': 'GO_TO the refrigerator; AVOID_NEAR the tv',
    "Go to the fridge but don't pass between the sofa and the table": (
        'GO_TO the refrigerator; AVOID_BETWEEN the sofa & the table'
    ),
    'Drive to the couch, keeping away from the lamp.': 'GO_TO the sofa; AVOID the lamp',
    'Walk to the door via the window': 'VIA_NEAR the window; GO_TO the door',
    'Go to the refrigerator, passing by the window.': (
        'VIA_NEAR the window; GO_TO the refrigerator'
    ),
    'Pass by the window and go to the fridge': 'VIA_NEAR the window; GO_TO the refrigerator',
    'Go through the gap between the two columns to the door': (
        'VIA_BETWEEN the #2 column+; GO_TO the door'
    ),
    'Navigate to the plant, then head to the desk and finally stop next to the bed.': (
        'GO_TO the potted plant; GO_TO the desk; STOP_AT the bed'
    ),
    'Before going to the bed, go to the door.': 'GO_TO the door; GO_TO the bed',
    'After visiting the sofa, stop at the desk.': 'GO_TO the sofa; STOP_AT the desk',
    'Go to the sofa before going to the table.': 'GO_TO the sofa; GO_TO the table',
    'Go to the chair and the table.': 'GO_TO the chair; GO_TO the table',
    'Make your way to the chair nearest the window, then proceed to the lamp': (
        'GO_TO the chair [CLOSEST the window]; GO_TO the lamp'
    ),
    'Take the path near the window to the fridge': 'VIA_NEAR the window; GO_TO the refrigerator',
    'Follow the path between the bed and the door, then stop at the rug': (
        'VIA_BETWEEN the bed & the door; STOP_AT the rug'
    ),
    'Go to the closest chair to the door': 'GO_TO the chair [CLOSEST the door]',
    "the pillow on the bed that's closest to the window": (
        'find the pillow [ON the bed [CLOSEST the window]]'
    ),
    'choose the chair that is near the desk': 'find the chair [NEAR the desk]',
    "it's the chair by the door": 'find the chair [NEAR the door]',
    'There are two chairs. Choose the one near the window.': 'find the chair [NEAR the window]',
    'the one on the table': 'find the * [ON the table]',
    'find the object on the table': 'find the * [ON the table]',
    'the stand near the sofa': 'find the stand [NEAR the sofa]',
    'Find the smallest black object on the desk.': 'find the SMALLEST1 black * [ON the desk]',
    'the chair between the bed and the sofa that is red': (
        'find the chair [BETWEEN the bed & the red sofa]'
    ),
    'the tallest lamp in the room': 'find the TALLEST1 lamp',
    'How many lamps are in the room?': 'count a lamp+',
    'Count the lamps that are in this house.': 'count the lamp+',
    'Go to the lamp that is in the room, then stop at the bed': 'GO_TO the lamp; STOP_AT the bed',
    'Please count how many pillows there are on the bed': 'count a pillow+ [ON the bed]',
    'How many things are on the table?': 'count a *+ [ON the table]',
    'the folding screeen near the sofa': 'find the folding screen [NEAR the sofa]',
    'How many chairs are red?': 'count a red chair+',
    'how many of the chairs are near the table': 'count the chair+ [NEAR the table]',
    'chair near window': 'find the chair [NEAR the window]',
    'red chair': 'find the red chair',
    'the table near which there is a lamp': 'find the table [bears NEAR a lamp]',
    'the table on which there is a lamp': 'find the table [bears ON a lamp]',
    'the lamp that is on the nightstand that is closest to the door': (
        'find the lamp [ON the nightstand [CLOSEST the door]]'
    ),
    'Find the chair closest to the lamp on the desk that is near the window.': (
        'find the chair [CLOSEST the lamp [ON the desk [NEAR the window]]]'
    ),
    'Avoid the rug and go to the bed': 'AVOID the rug; GO_TO the bed',
    "Don't go near the bathtub. Go to the bed.": 'AVOID_NEAR the bathtub; GO_TO the bed',
    'Go between the sofa and the table': 'VIA_BETWEEN the sofa & the table',
    'stop at the bed': 'STOP_AT the bed',
    'Stop by the lamp near the bed and then the door': (
        'STOP_AT the lamp [NEAR the bed]; STOP_AT the door'
    ),
    'first go to the bed, next the sofa, last the door': (
        'GO_TO the bed; GO_TO the sofa; GO_TO the door'
    ),
    'the second chair': 'find the no.2 chair',
    'the last chair': 'find the no.-1 chair',
    'both chairs near the table': 'find the #2 chair+ [NEAR the table]',
    'all chairs near the table': 'find all chair+ [NEAR the table]',
    'the two chairs near the table': 'find the #2 chair+ [NEAR the table]',
    'Find a chair that has no pillow': 'find a chair [not bears ON a pillow]',
    'Go to the chair closest to the TV, and then go to the table, which is near the '
    'bed, and stop at the lamp': (
        'GO_TO the chair [CLOSEST the tv]; GO_TO the table [NEAR the bed]; STOP_AT the lamp'
    ),
    'Walk past the sofa and stop in front of the TV': 'VIA_NEAR the sofa; STOP_AT the tv',
    'the chair with the pillow': 'find the chair [bears ON the pillow]',
    'the big red chair': 'find the big red chair',
    'the black and white pillow': 'find the black white pillow',
    'the chair that is red and near the door': 'find the red chair [NEAR the door]',
    'the chair which is not near the table': 'find the chair [not NEAR the table]',
    'what is the number of lamps on the desk?': 'count a lamp+ [ON the desk]',
    'How many tables have a lamp on them?': 'count a table+ [bears ON a lamp]',
    'How many chairs with a pillow on them are near the table?': (
        'count a chair+ [bears ON a pillow] [NEAR the table]'
    ),
    'I need you to go to the bed': 'GO_TO the bed',
    'The pillow is on the bed.': 'find the pillow [ON the bed]',
    'the object that is on the table': 'find the * [ON the table]',
    'Tell me which lamp is farthest from the bed': 'find the lamp [FARTHEST the bed]',
    "the pillow on the bed that's closest to the window.": (
        'find the pillow [ON the bed [CLOSEST the window]]'
    ),
    'choose the chair that is in front of the desk': 'find the chair [IN_FRONT_OF the desk]',
    'Select the monitor that is on the desk by the window': (
        'find the monitor [ON the desk [NEAR the window]]'
    ),
    "It's the chair closest to the door.": 'find the chair [CLOSEST the door]',
    'You are looking for the trash can next to the desk.': 'find the trash can [NEAR the desk]',
    'The trash can nearest to the door': 'find the trash can [CLOSEST the door]',
    'The lamp on the left side of the bed': 'find the lamp [LEFT_OF the bed]',
    'find the cabinet above the sink': 'find the cabinet [ABOVE the sink]',
    'Please pick the trash can between the desk and the toilet.': (
        'find the trash can [BETWEEN the desk & the toilet]'
    ),
    'The bigger of the two tables.': 'find the BIGGEST1 table',
    'The larger of the 2 cabinets': 'find the BIGGEST1 cabinet',
    'the brown table with a lamp and a book on it': (
        'find the brown table [bears ON a lamp] [bears ON a book]'
    ),
    'the table with two lamps': 'find the table [bears ON a #2 lamp+]',
    'The curtain that is farthest from the bed': 'find the curtain [FARTHEST the bed]',
    'The window with the curtain on the left': 'find the window [bears ON the LEFTMOST1 curtain]',
    'The pillow which is the farthest away from the lamp': 'find the pillow [FARTHEST the lamp]',
    'Go to the light': 'GO_TO the light',
    'Go to the step': 'GO_TO the step',
    'find the orange on the table': 'find the orange [ON the table]',
    'the orange chair': 'find the orange chair',
    'the glass on the table': 'find the glass [ON the table]',
    'Are there any chairs near the window?': 'find a chair+ [NEAR the window]',
    'Count all the chairs': 'count all chair+',
    'Count every chair in the kitchen.': 'count all chair+ @kitchen',
    'How many chairs do you see?': 'count a chair+',
    'What number of pillows are there on the bed?': 'count a pillow+ [ON the bed]',
    'Can you tell me how many books are on the desk?': 'count a book+ [ON the desk]',
    'Please navigate to the sofa that is near the window': 'GO_TO the sofa [NEAR the window]',
    'Robot, go to the fridge and stop.': 'GO_TO the refrigerator',
    'Start at the door, go past the sofa, and end at the bed.': (
        'GO_TO the door; VIA_NEAR the sofa; STOP_AT the bed'
    ),
    'Move towards the window, then towards the bed.': 'GO_TO the window; GO_TO the bed',
    'Take the path between the sofa and the table to reach the bed': (
        'VIA_BETWEEN the sofa & the table; GO_TO the bed'
    ),
    'Go along the wall to the door': 'VIA_NEAR the wall; GO_TO the door',
    'Proceed to the chair closest to the window by passing between the sofa and the table': (
        'VIA_BETWEEN the sofa & the table; GO_TO the chair [CLOSEST the window]'
    ),
    'Approach the sofa, then visit the table, and end up at the door': (
        'GO_TO the sofa; GO_TO the table; STOP_AT the door'
    ),
    'Walk to the bed, making sure to avoid the rug.': 'GO_TO the bed; AVOID the rug',
    'Go to the table, then the sofa, then the bed.': (
        'GO_TO the table; GO_TO the sofa; GO_TO the bed'
    ),
    'Visit the sofa, the table and the bed': 'GO_TO the sofa; GO_TO the table; GO_TO the bed',
    'Go to the bed while keeping clear of the table and the sofa': (
        'GO_TO the bed; AVOID the table; AVOID the sofa'
    ),
    'Go to the TV without passing between the sofa and the table, then stop at the window.': (
        'GO_TO the tv; AVOID_BETWEEN the sofa & the table; STOP_AT the window'
    ),
    'Go to the sofa avoiding the path near the table and stop at the window': (
        'GO_TO the sofa; AVOID_NEAR the table; STOP_AT the window'
    ),
    'Without crossing the rug, go to the bed.': 'AVOID the rug; GO_TO the bed',
    'Stay away from the sofa and go to the bed': 'AVOID the sofa; GO_TO the bed',
    'Head over to the lamp on the nightstand closest to the window, and then stop at the door.': (
        'GO_TO the lamp [ON the nightstand [CLOSEST the window]]; STOP_AT the door'
    ),
    'First go near the sofa, and then go to the pillow on the chair nearest to the TV.': (
        'GO_NEAR the sofa; GO_TO the pillow [ON the chair [CLOSEST the tv]]'
    ),
    'Go to the second chair from the left': 'GO_TO the LEFTMOST2 chair',
    'The chair to the right of the table and to the left of the sofa': (
        'find the chair [RIGHT_OF the table] [LEFT_OF the sofa]'
    ),
    'the chairs': 'find the chair+',
    'Find two chairs near the table': 'find a #2 chair+ [NEAR the table]',
    'Where can I find the red pillow?': 'find the red pillow',
    'Which pillow is on the chair?': 'find the pillow [ON the chair]',
    'Which of the pillows is closest to the TV?': 'find a pillow [CLOSEST the tv]',
    'What is between the bed and the window?': 'find a * [BETWEEN the bed & the window]',
    'what is the object closest to the bed': 'find the * [CLOSEST the bed]',
    'what object is closest to the bed': 'find the * [CLOSEST the bed]',
    'Show me the biggest picture above the sofa.': 'find the BIGGEST1 picture [ABOVE the sofa]',
    'Find the object that is on the table and near the lamp.': (
        'find the * [ON the table] [NEAR the lamp]'
    ),
    'Find the second largest table.': 'find the BIGGEST2 table',
    'Find the lamp that is not on the nightstand but near the bed.': (
        'find the lamp [not ON the nightstand] [NEAR the bed]'
    ),
    'Find the pillow not on the bed.': 'find the pillow [not ON the bed]',
    'the sofas pillow': 'find the pillow',
    'Find the potted_plant nearest to the TV_cabinet': (
        'find the potted plant [CLOSEST the tv cabinet]'
    ),
    'FIND THE CHAIR CLOSEST TO THE TABLE': 'find the chair [CLOSEST the table]',
    'find chair closest table': 'find the chair [CLOSEST the table]',
    'find the chiar near the tabel': 'find the chair [NEAR the table]',
    'the kitchen cabinets near the sink': 'find the kitchen cabinets [NEAR the sink]',
    'the shelves above the desk': 'find the shelves [ABOVE the desk]',
    'the stand between the shelves': 'find the stand [BETWEEN the shelves+]',
    'the picture between the two windows': 'find the picture [BETWEEN the #2 window+]',
    'Find the lamp between the bed and the window closest to the door.': (
        'find the lamp [BETWEEN the bed & the window [CLOSEST the door]]'
    ),
    'Go between the two columns then to the bed': 'VIA_BETWEEN the #2 column+; GO_TO the bed',
    'stop between the sofa and the table': 'VIA_BETWEEN the sofa & the table',
    'Take the path between the table closest to the door and the sofa near the '
    'window, and go to the bed': (
        'VIA_BETWEEN the table [CLOSEST the door] & the sofa [NEAR the window]; GO_TO the bed'
    ),
    'How many pillows are there on the sofa that is under the picture?': (
        'count a pillow+ [ON the sofa [BELOW the picture]]'
    ),
    'How many red chairs are between the table and the window?': (
        'count a red chair+ [BETWEEN the table & the window]'
    ),
    'How many windows are there behind the sofa?': 'count a window+ [BEHIND the sofa]',
    'the chair under which there is a book': 'find the chair [bears BELOW a book]',
    'the chair with no pillow on it near the table': (
        'find the chair [not bears ON a pillow] [NEAR the table]'
    ),
    'the bed that has two pillows and a blanket on it': (
        'find the bed [bears ON a #2 pillow+] [bears ON a blanket]'
    ),
    'the trash can, which is next to the door': 'find the trash can [NEAR the door]',
    'the small, red chair': 'find the small red chair',
    'the chair on the rug on the floor near the sofa next to the window by the door': (
        'find the chair [ON the rug [ON the floor [NEAR the sofa [NEAR the window '
        '[NEAR the door]]]]]'
    ),
    'Looking from the door, the chair to the left of the table': (
        'find the chair [LEFT_OF the table from the door]'
    ),
    'When looking from the door, find the chair behind the sofa.': (
        'find the chair [BEHIND the sofa from the door]'
    ),
    'Of the two chairs, the one closer to the window': 'find the chair [CLOSEST the window]',
    'In the kitchen, find the chair near the table': 'find the chair @kitchen [NEAR the table]',
    'On the table, how many books are there?': 'count a book+ [ON the table]',
    'the tall lamp': 'find the TALLEST1 lamp',
    'In the kitchen, go to the table': 'GO_TO the table @kitchen',
    'Go to the table and find the book on the desk': (
        'GO_TO the table; GO_TO the book [ON the desk]'
    ),
    'Go near the sofa by the path between the bed and the door.': (
        'VIA_BETWEEN the bed & the door; GO_NEAR the sofa'
    ),
    'Go from the bed to the door.': 'GO_TO the bed; GO_TO the door',
    'Go to the bed after the door': 'GO_TO the door; GO_TO the bed',
    'the dark blue sofa': 'find the dark blue sofa',
    'the third-closest chair to the window': 'find the chair [CLOSEST3 the window]',
    'the nightstand with the lamp on top': 'find the nightstand [bears ON the lamp]',
    'Find the chair that has a pillow on it and is closest to the window.': (
        'find the chair [bears ON a pillow] [CLOSEST the window]'
    ),
    'Find the chair closest to the table with a bowl on it.': (
        'find the chair [CLOSEST the table [bears ON a bowl]]'
    ),
    'Take the path near the window to the bed, then go to the chair with a pillow on it.': (
        'VIA_NEAR the window; GO_TO the bed; GO_TO the chair [bears ON a pillow]'
    ),
    'Go to the table, but avoid the path between the sofa and the tv.': (
        'GO_TO the table; AVOID_BETWEEN the sofa & the tv'
    ),
}
# What is said to be missing where there is no parse.
UNREADABLE = {
    '': 'a question',
    'hello': 'a question',
    'Go to the quokka': 'quokka',
    'the chair near the flurble': 'flurble',
    'the chair facing the sofa': 'facing',
    'the closest chair': 'what the chair is closest to',
    'the chair that is the closest': 'what the chair is closest to',
    'how many chairs are near the table or the sofa': 'or',
    'a chair and a table': 'one object to find: ask separate questions for these',
    'the chair between the table': 'the second object of "between"',
    'the chair on': 'the words after "on"',
    'the chair that is a table': 'an object that is both "chair" and "table"',
    'go to the kitchen': 'an object: "kitchen" is a room',
    'the chair that is not red':
        'negation is supported only for locations',
    'How many lights are on?': 'the words after "on"',
    'How many chairs are': 'the words after "are"',
    'Avoid the rug': 'a destination: there are only things to avoid',
    'Do not go near the rug.': 'a destination: there are only things to avoid',
    'the chair seen from the door': (
        'the object that is left, right, in front or behind from this viewpoint'
    ),
}  # fmt: skip


@pytest.fixture(scope='module')
def lexicon():
    """Build the lexicon of a small house."""
    return Lexicon(LABELS, regions=('kitchen', 'livingroom'))


@pytest.mark.parametrize('text', MEANT)
def test_the_most_probable_parse_is_the_intended_one(lexicon, notate, text):
    """The query equals the listed one."""
    parse = parse_question(text, lexicon)
    assert not parse.missing
    assert notate(parse.queries[0]) == MEANT[text]


@pytest.mark.parametrize('text', UNREADABLE)
def test_questions_that_cannot_be_parsed_name_what_is_missing(lexicon, text):
    """There is no guess; unknown words or missing parts are named."""
    parse = parse_question(text, lexicon)
    assert not parse.queries
    assert parse.missing == (UNREADABLE[text],)


def test_understood_phrases_are_listed(lexicon):
    """Each phrase ends with its noun, and the last one where parsing failed."""
    parse = parse_question('How many red pillows are on the sofa near the quokka?', lexicon)
    assert parse.understood == ('how many red pillows', 'are on the sofa', 'near the')
    assert parse.missing == ('quokka',)


def test_every_attachment_is_parsed(lexicon, notate):
    """All parses are returned, those with attachment to the nearest phrase first."""
    parse = parse_question('Find the pillow on the chair near the TV.', lexicon)
    assert [notate(query) for query in parse.queries] == [
        'find the pillow [ON the chair [NEAR the tv]]',
        'find the pillow [ON the chair] [NEAR the tv]',
    ]


def test_number_of_the_verb_affects_attachment(lexicon, notate):
    """A plural relative clause is first attached to the plural noun."""
    parse = parse_question('the pillows on the chair that are closest to the TV', lexicon)
    assert notate(parse.queries[0]) == 'find the pillow+ [ON the chair] [CLOSEST the tv]'


def test_unsupported_relations_of_steps_are_reported(lexicon):
    """The phrase "behind the sofa" as a goal is reported as near the sofa."""
    parse = parse_question('Go behind the sofa', lexicon)
    assert parse.corrections == (('behind', 'near'),)


@pytest.mark.parametrize(
    ('text', 'pair'),
    [
        ('the tall lamp', ('tall', 'tallest')),
        ('take the shortest path between the bed and the sofa', ('shortest path', 'path')),
        ('the sofa pillow', ('sofa pillow', 'pillow')),
    ],
)
def test_simplifications_are_reported(lexicon, text, pair):
    """Everything that a parse leaves out is listed in the corrections."""
    assert parse_question(text, lexicon).corrections == (pair,)


def test_number_of_parses_is_bounded(lexicon):
    """There are at most 32 parses."""
    parse = parse_question('the chair' + ' near the table on the rug' * 5, lexicon)
    assert len(parse.queries) == 32
