# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Japanese questions: the three specified patterns and variations of them."""

import pytest

from world_model_core.objects.language import Lexicon, parse_question
from world_model_core.objects.language.translations import TranslationError, parse_translations

LABELS = (
    'bed', 'book', 'chair', 'column', 'desk', 'door', 'lamp', 'pillow', 'potted_plant',
    'refrigerator', 'sofa', 'table', 'tv', 'window',
)  # fmt: skip
# The likeliest parse of each, written down by hand.
MEANT = {
    '青い椅子は何個\uff1f': 'count the blue chair',
    '青い椅子はいくつありますか': 'count the blue chair',
    '冷蔵庫に最も近い鉢植え': 'find the potted plant [CLOSEST the refrigerator]',
    '冷蔵庫に最も近い鉢植えはどれですか\uff1f': 'find the potted plant [CLOSEST the refrigerator]',
    '窓の近くを通って冷蔵庫へ': 'VIA_NEAR the window; GO_TO the refrigerator',
    '窓の近くを通って冷蔵庫へ行ってください。': 'VIA_NEAR the window; GO_TO the refrigerator',
    'ソファとテーブルの間を通って、ベッドに行って': (
        'VIA_BETWEEN the table & the sofa; GO_TO the bed'
    ),
    'テーブルの上の赤い本': 'find the red book [ON the table]',
    'テーブルの上にある本は何冊ありますか': 'count the book [ON the table]',
    'ドアを避けて冷蔵庫まで移動してください': 'AVOID the door; GO_TO the refrigerator',
    'ソファとテーブルの間を避けて窓へ': 'AVOID_BETWEEN the table & the sofa; GO_TO the window',
    '枕が載っているベッドを探して': 'find the bed [bears ON a pillow]',
    'ソファとテーブルの間にあるランプ': 'find the lamp [BETWEEN the table & the sofa]',
    '窓から一番遠い椅子': 'find the chair [FARTHEST the window]',
    '窓に2番目に近い椅子はどこ': 'find the chair [CLOSEST2 the window]',
    '一番大きいテーブル': 'find the BIGGEST1 table',
    '2番目に大きいテーブル': 'find the BIGGEST2 table',
    '三番目に小さい本': 'find the SMALLEST3 book',
    'キッチンの椅子は何脚ありますか': 'count the chair @kitchen',
    '椅子の数を教えてください': 'count the chair',
    '椅子の数は\uff1f': 'count the chair',
    'まず窓に行って、次に冷蔵庫の近くで止まって': 'GO_TO the window; STOP_AT the refrigerator',
    'TVに最も近いchair': 'find the chair [CLOSEST the tv]',
    '机の上の本に近い椅子': 'find the chair [NEAR the book [ON the desk|table]]',
    'ソファの左の椅子': 'find the chair [LEFT_OF the sofa]',
    '左の椅子': 'find the LEFTMOST1 chair',
    'テーブルの隣の椅子を見つけて': 'find the chair [NEAR the table]',
    '二本の柱の間を通ってドアへ': 'VIA_BETWEEN a #2 column+; GO_TO the door',
    '部屋に椅子はいくつありますか': 'count the chair',
    'テーブルの上に本は何冊ありますか': 'count the book [ON the table]',
    '冷蔵庫に近い鉢植え': 'find the potted plant [NEAR the refrigerator]',
    'ｿﾌｧに最も近いテーブル': 'find the table [CLOSEST the sofa]',
    '窓の近くの椅子とドアの間を通って冷蔵庫へ移動': (
        'VIA_BETWEEN the door & the chair [NEAR the window]; GO_TO the refrigerator'
    ),
    '何個の椅子がありますか': 'count the chair',
    '冷蔵庫へ行って': 'GO_TO the refrigerator',
    '冷蔵庫の前で止まれ': 'STOP_AT the refrigerator',
    '寝室にあるランプ': 'find the lamp @bedroom',
}
UNREADABLE = {
    '宇宙船はどこ': '宇宙船',
    '赤い': 'the words after "赤い"',
    '椅子のテーブル': 'the meaning of "の" after "椅子"',
    '一番近い椅子': 'the meaning of "一番近い"',
    '、。か': 'a question',
}


@pytest.fixture(scope='module')
def lexicon():
    """Build the lexicon of a small house."""
    return Lexicon(LABELS, regions=('kitchen',))


@pytest.mark.parametrize('text', MEANT)
def test_the_most_probable_parse_is_the_intended_one(lexicon, notate, text):
    """The query equals the listed one."""
    parse = parse_question(text, lexicon)
    assert parse.language == 'ja'
    assert not parse.missing
    assert notate(parse.queries[0]) == MEANT[text]


@pytest.mark.parametrize('text', UNREADABLE)
def test_questions_that_cannot_be_parsed_name_what_is_missing(lexicon, text):
    """There is no guess; unknown words or missing parts are named."""
    parse = parse_question(text, lexicon)
    assert not parse.queries
    assert parse.missing == (UNREADABLE[text],)


def test_every_attachment_is_parsed(lexicon, notate):
    """The book is on the desk, or the chair near the book is: both are returned."""
    parse = parse_question('机の上の本に近い椅子', lexicon)
    assert [notate(query) for query in parse.queries] == [
        'find the chair [NEAR the book [ON the desk|table]]',
        'find the chair [NEAR the book] [ON the desk|table]',
    ]


def test_labels_of_the_map_may_be_japanese(notate):
    """The labels of a Japanese map are used without translation."""
    parse = parse_question('こたつに最も近い座布団', Lexicon(('こたつ', '座布団')))
    assert notate(parse.queries[0]) == 'find the 座布団 [CLOSEST the こたつ]'


def test_absent_nouns_keep_their_first_translation():
    """The answer can then name the missing class in the map's language."""
    (query,) = parse_question('冷蔵庫はどこ', Lexicon(())).queries
    assert query.target.labels == ('refrigerator',)
    assert query.target.noun == '冷蔵庫'


def test_users_extend_the_translations(notate):
    """Users' words are parsed and take precedence over built-in ones."""
    own = parse_translations('labels:\n  こたつ: [kotatsu, table]\n  机: [writing table]\n')
    lexicon = Lexicon(('table', 'writing table', 'desk'), translations=own)
    parse = parse_question('こたつに一番近い机', lexicon)
    assert notate(parse.queries[0]) == 'find the writing table [CLOSEST the table]'


@pytest.mark.parametrize(
    'text',
    [
        'labels: [',
        '- labels',
        'label: {}',
        'labels: [机]',
        'labels: {机: desk}',
        'labels: {机: []}',
        'labels: {机: [1]}',
        'labels: {1: [desk]}',
        'colors: {赤い: [red]}',
        'regions: {台所: ""}',
    ],
)
def test_files_of_translations_are_checked(text):
    """Invalid entries are rejected, and the message names them."""
    with pytest.raises(TranslationError, match='translations: '):
        parse_translations(text)


def test_an_empty_file_of_translations_adds_nothing():
    """All parts are optional."""
    assert parse_translations('{}').labels == {}
