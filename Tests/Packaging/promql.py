"""The words of a PromQL expression that name metrics and labels (prometheus.io/docs/prometheus/latest/querying)."""

import dataclasses
import re

TOKENS = re.compile(r"""
    (?P<blank>\s+) | (?P<text>"(?:[^"\\]|\\.)*") | (?P<range>\[[^\]]*\]) | (?P<number>\d[\w.]*)
    | (?P<name>[a-zA-Z_:][\w:]*) | (?P<sign>=~|!~|!=|==|>=|<=|[-+*/%^(){},=<>@])
""", re.VERBOSE)
# After these stands a list of labels in parentheses.
LISTS = {"by", "without", "on", "ignoring", "group_left", "group_right"}
WORDS = {"and", "or", "unless", "offset", "bool", "inf", "nan"}


@dataclasses.dataclass
class Selector:
    metric: str
    # (label, operator, value)
    matchers: list


def tokens(expression):
    place, found = 0, []
    while place < len(expression):
        token = TOKENS.match(expression, place)
        assert token, f"not understood: {expression[place:]!r}"
        place = token.end()
        if token.lastgroup != "blank":
            found.append((token.lastgroup, token.group()))
    return found + [("end", "")]


def read(expression):
    """Its selectors, and the labels that it groups, joins and matches by."""
    left, selectors, labels = tokens(expression), [], set()
    while left:
        kind, word = left.pop(0)
        if kind != "name" or word.lower() in WORDS:
            assert word != "{", f"a selector without a name: {expression}"
            continue
        if word in LISTS:
            labels |= names_in_list(left)
        elif left[0][1] != "(" and left[0][1] not in LISTS:
            selectors.append(Selector(word, matchers(left)))
    return selectors, labels


def names_in_list(left):
    if left[0][1] != "(":
        return set()
    found = set()
    while (token := left.pop(0))[1] != ")":
        if token[0] == "name":
            found.add(token[1])
    return found


def matchers(left):
    if left[0][1] != "{":
        return []
    found = []
    left.pop(0)
    while (token := left.pop(0))[1] != "}":
        if token[0] == "name":
            operator, value = left.pop(0)[1], left.pop(0)[1]
            found.append((token[1], operator, value[1:-1]))
    return found
