"""Steps in Japanese."""

from __future__ import annotations

import re

from numplace.logic.words import Words

TECHNIQUES = {
    "full house": "フルハウス",
    "naked single": "シングル",
    "hidden single": "ヒドゥンシングル",
    "parity": "偶奇",
    "order": "大小",
    "thermometer": "温度計",
    "joint": "ジョイント",
    "pointing": "ポインティング",
    "claiming": "クレイミング",
    "common peers": "共通の影響マス",
    "combinations": "組み合わせ",
    "naked pair": "ネイキッドペア",
    "hidden pair": "ヒドゥンペア",
    "naked triple": "ネイキッドトリプル",
    "hidden triple": "ヒドゥントリプル",
    "naked quad": "ネイキッドクワッド",
    "hidden quad": "ヒドゥンクワッド",
    "45 rule": "45ルール",
    "line combinations": "列全体の組み合わせ",
    "two-line combinations": "2列の組み合わせ",
    "hidden thermometer": "隠れた温度計",
    "x-wing": "Xウィング",
    "swordfish": "ソードフィッシュ",
    "jellyfish": "ジェリーフィッシュ",
    "skyscraper": "スカイスクレイパー",
    "2-string kite": "2ストリングカイト",
    "turbot fish": "ターボットフィッシュ",
    "empty rectangle": "エンプティレクタングル",
    "w-wing": "Wウィング",
    "xy-wing": "XYウィング",
    "xyz-wing": "XYZウィング",
    "unique rectangle 1": "ユニークレクタングル1",
    "unique rectangle 2": "ユニークレクタングル2",
    "unique rectangle 3": "ユニークレクタングル3",
    "unique rectangle 4": "ユニークレクタングル4",
    "hidden rectangle": "ヒドゥンレクタングル",
    "bug+1": "BUG+1",
    "remote pair": "リモートペア",
    "simple colouring": "シンプルカラーリング",
    "multi-colouring": "マルチカラーリング",
    "finned x-wing": "フィン付きXウィング",
    "finned swordfish": "フィン付きソードフィッシュ",
    "finned jellyfish": "フィン付きジェリーフィッシュ",
    "sue de coq": "スー・ド・コック",
    "x-chain": "Xチェーン",
    "xy-chain": "XYチェーン",
    "nice loop": "ナイスループ",
    "grouped nice loop": "グループ付きナイスループ",
    "als-xz": "ALS-XZ",
    "als-xy-wing": "ALS-XYウィング",
    "als chain": "ALSチェーン",
    "death blossom": "デスブロッサム",
    "assumption": "仮定",
    "forcing net": "フォーシングネット",
    "search": "探索",
}
"""What each technique is called."""

LEVELS = ("やさしい", "ふつう", "難しい", "とても難しい", "極めて難しい")
"""The levels, from 1 on."""

_NAMES = [
    (r"row (\d+)", r"\1行目"),
    (r"column (\d+)", r"\1列目"),
    (r"block (\d+)", r"ブロック\1"),
    (r"diagonal (\d+)", r"対角線\1"),
    (r"group (\S+)", r"グループ\1"),
    (r"cage (\d+) with sum (\d+)", r"ケージ\1（合計\2）"),
    (r"cage at (\S+) with sum (\d+)", r"\1のケージ（合計\2）"),
    (r"sandwich of (.+?) with sum (\d+)", r"\1のサンドイッチ（合計\2）"),
    (r"frozen thermometer from (\S+)", r"\1からの緩い温度計"),
    (r"thermometer from (\S+)", r"\1からの温度計"),
    (r"the (\d+) hidden thermometers", r"隠れた温度計\1本"),
    (r"no joint (\S+) (\S+)", r"\1と\2は非ジョイント"),
    (r"joint (\S+) (\S+)", r"\1と\2のジョイント"),
    (r"knight's move (\S+) (\S+)", r"\1と\2のナイトの動き"),
    (r"(\S+) odd", r"\1は奇数"),
    (r"(\S+) even", r"\1は偶数"),
    (r" of frame (\d+)", r"（枠\1）"),
    (r" of square (\d+)", r"（正方形\1）"),
]


def name_in_japanese(name: str) -> str:
    """Return the name of a house or a clue; what has no words stays as it is."""
    for pattern, words in _NAMES:
        name = re.sub(pattern, words, name)
    return name


JAPANESE = Words(
    techniques=TECHNIQUES,
    name=name_in_japanese,
    within=lambda names: f"［{'、'.join(names)}］",
    places=lambda cell, digit: f"{cell} は {digit}",
    loses=lambda cell, digits: f"{cell} から {', '.join(map(str, digits))} を消す",
    assumed=lambda text: f"{text} とすると矛盾",
    if_unique="（解が1つのとき）",
)
