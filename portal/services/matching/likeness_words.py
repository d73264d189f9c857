"""The words people describe animals with, brought to what can be compared: shades, breeds, collars, marks, places.

One person writes “golden lab mix”, the other “yellow Labrador”; a third writes “perro negro”. Words nobody here knows
are compared as they are.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from portal.services.folding import folded, folded_address


def _all(words: str) -> frozenset[str]:
    return frozenset(words.split())


SHADES: Mapping[str, tuple[str, ...]] = {
    "black": ("black",),
    "tuxedo": ("black", "white"),
    "white": ("white",),
    "cream": ("white", "tan"),
    "ivory": ("white",),
    **dict.fromkeys(
        ("tan", "fawn", "buff", "beige", "yellow", "golden", "gold", "blond", "blonde", "sandy", "wheaten", "apricot"),
        ("tan",),
    ),
    **dict.fromkeys(("brown", "chocolate", "liver", "sable", "seal"), ("brown",)),
    **dict.fromkeys(("red", "rust", "ginger", "orange", "copper", "reddish", "marmalade"), ("red",)),
    **dict.fromkeys(("gray", "grey", "blue", "silver", "slate", "grayish"), ("gray",)),
    "brindle": ("brindle",),
    "merle": ("merle", "gray"),
    **dict.fromkeys(("tabby", "striped", "tiger"), ("tabby",)),
    "calico": ("white", "red", "black"),
    **dict.fromkeys(("tortoiseshell", "tortie", "torti"), ("black", "red")),
    **dict.fromkeys(("tricolor", "tri"), ("black", "white", "brown")),
    **dict.fromkeys(("spotted", "speckled", "ticked", "spots"), ("spotted",)),
    **dict.fromkeys(("negro", "negra"), ("black",)),
    **dict.fromkeys(("blanco", "blanca"), ("white",)),
    **dict.fromkeys(("cafe", "marron"), ("brown",)),
    **dict.fromkeys(("gris",), ("gray",)),
    **dict.fromkeys(("amarillo", "amarilla", "dorado", "dorada"), ("tan",)),
    **dict.fromkeys(("rojo", "roja", "naranja", "anaranjado"), ("red",)),
}
# What one person calls this, another calls that.
NEAR: Mapping[frozenset[str], float] = {
    frozenset(pair): share
    for *pair, share in (
        ("tan", "brown", 0.5),
        ("tan", "red", 0.5),
        ("brown", "red", 0.5),
        ("tan", "white", 0.4),
        ("gray", "black", 0.3),
        ("gray", "white", 0.3),
        ("brindle", "brown", 0.6),
        ("brindle", "black", 0.4),
        ("tabby", "gray", 0.5),
        ("tabby", "brown", 0.5),
        ("merle", "spotted", 0.5),
    )
}
# The colors a collar is sold in besides; of these none is near another.
GEAR_COLORS = _all(
    "black white brown tan red orange yellow gold green blue purple violet pink gray silver camo camouflage plaid"
)
GEAR = _all("collar harness bandana coat sweater vest leash collared bell")

BREED_WORDS: Mapping[str, str] = {
    "lab": "labrador",
    "labs": "labrador",
    "labradors": "labrador",
    "gsd": "german",
    "pit": "pitbull",
    "pitty": "pitbull",
    "pittie": "pitbull",
    "yorkie": "yorkshire",
    "chi": "chihuahua",
    "doxie": "dachshund",
    "wiener": "dachshund",
    "pom": "pomeranian",
    "aussie": "australian",
    "heeler": "cattle",
    "dsh": "shorthair",
    "dlh": "longhair",
    "dmh": "mediumhair",
    "shorthaired": "shorthair",
    "longhaired": "longhair",
    "boxers": "boxer",
    "maine": "maine-coon",
    "coon": "maine-coon",
}
# Two words that are one breed; read before single words.
BREED_PAIRS: Mapping[tuple[str, str], str] = {
    ("pit", "bull"): "pitbull",
    ("short", "hair"): "shorthair",
    ("long", "hair"): "longhair",
    ("medium", "hair"): "mediumhair",
    ("shih", "tzu"): "shihtzu",
}
# Shared by many breeds, so they tell little.
BROAD_BREEDS = _all("retriever terrier hound shepherd spaniel bull collie shorthair domestic")
# Kept in every street.
COMMON_BREEDS = _all("labrador german pitbull tabby longhair chihuahua")
NO_BREED = _all(
    "mix mixed mutt cross breed dog cat puppy pup kitten kitty type like unknown maybe possibly probably looks some of"
    " a an the and or with x perro gato small medium large"
)
NO_MARK = _all(
    "the and with has have very his her its one two some little big small medium large dog cat left right white black"
    " brown front back from that this wearing wears collar color friendly about about"
)
NO_PLACE = _all(
    "near by the of at on in and behind across from block corner st ave rd dr ln ct blvd hwy co n s e w mn"
    " street avenue park"
)
LONGEST = 60  # words of a text that are looked at
# People use the same few words: most texts were read before.
REMEMBERED = 10_000


@lru_cache(REMEMBERED)
def shades(text: str) -> frozenset[str]:
    """The shades that are named, whatever they are called; those of a collar aside."""
    words = _words(text)
    places = set(range(len(words))) - _before_gear(words)
    return frozenset(shade for place in places for shade in SHADES.get(words[place], ()))


@lru_cache(REMEMBERED)
def alike(some: frozenset[str], others: frozenset[str]) -> float:
    """How much two sets of shades agree: 1 for the same, 0 for nothing in common and nothing near."""
    one_way = sum(max(_near(one, other) for other in others) for one in some) / len(some)
    other_way = sum(max(_near(one, other) for one in some) for other in others) / len(others)
    return (one_way + other_way) / 2


@lru_cache(REMEMBERED)
def breeds(text: str) -> frozenset[str]:
    """The breeds that are named; nothing for `mix` and `unknown`."""
    return frozenset(word for word in _breeds(_words(text)) if word not in NO_BREED and word not in SHADES)


@lru_cache(REMEMBERED)
def gear_colors(wears: str, marks: str) -> frozenset[str]:
    """The colors of what it wears: all that stand there, and in other words those before “collar” and its like."""
    words = _words(marks)
    worn = [*_words(wears), *(words[place] for place in _before_gear(words))]
    return frozenset(word for word in worn if word in GEAR_COLORS)


@lru_cache(REMEMBERED)
def mark_words(text: str) -> frozenset[str]:
    """What stands out, word by word: limp, scar, bobtail."""
    return frozenset(
        word for word in _words(text) if len(word) > 2 and word not in NO_MARK | GEAR and word not in SHADES
    )


@lru_cache(REMEMBERED)
def place_words(text: str, besides: str = "") -> frozenset[str]:
    """The names in a place: Elm, Northside, 13th. Not house numbers, which two people never share, nor `besides`."""
    left_out = NO_PLACE | set(besides.split())
    words = folded_address(text).split()[:LONGEST]
    return frozenset(word for word in words if word not in left_out and not word.isdigit() and len(word) > 1)


def _breeds(words: list[str]) -> Iterator[str]:
    skipped = False
    for word, following in pairwise([*words, ""]):
        if skipped:
            skipped = False
        elif pair := BREED_PAIRS.get((word, following)):
            skipped = True
            yield pair
        else:
            yield BREED_WORDS.get(word, word)


def _before_gear(words: list[str]) -> set[int]:
    """The places of the two words before “collar” and its like."""
    return {
        before for place, word in enumerate(words) if word in GEAR for before in (place - 2, place - 1) if before >= 0
    }


def _near(one: str, other: str) -> float:
    return 1.0 if one == other else NEAR.get(frozenset((one, other)), 0.0)


def _words(text: str) -> list[str]:
    return folded(text).split()[:LONGEST]


def joined(words: Iterable[str]) -> str:
    """breed, color and collar"""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
