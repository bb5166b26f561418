"""The small changes that tests/mutate makes in a text of C: Code(path, text).mutations() lists them.

Nothing is changed in comments, strings, characters, preprocessor lines, assertions, attributes, the definitions
of structs, the length of an array (no test sees it without a sanitizer), and functions that send a signal,
which changed might reach another's process."""

import re

TOKEN = re.compile(
    r"(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*)"
    r"|(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)",
    re.S | re.M)

SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
           "+": "-", "-": "+", "+=": "-=", "-=": "+="}
ASSERTED = {"assert", "static_assert", "_Static_assert", "__attribute__"}
WORDS_OF_C = {"return", "case", "else", "do", "sizeof", "if", "while", "for", "switch", "goto", "break", "continue"}
FREES = re.compile(r"(\w+_)?(free|release)(_all)?")
SIGNALS = {"kill", "killpg"}


class Mutation:
    """A change of text[at:end] to `new`. `old_lines` and `new_lines` are the lines that it touches, before and
    after, their blanks made one; `frees` where nothing is lost but a call that frees memory."""

    def __init__(self, code, function, at, end, new, frees):
        text = code.text
        first, last = text.rfind("\n", 0, at) + 1, text.find("\n", end)
        self.path, self.function, self.frees = code.path, function, frees
        self.line = text.count("\n", 0, at) + 1
        self.changed = text[:at] + new + text[end:]
        self.old_lines = " ".join(text[first:last].split())
        self.new_lines = " ".join((text[first:at] + new + text[end:last]).split())
        self.key = self.path, self.function, self.old_lines, self.new_lines


class Token:
    def __init__(self, match):
        self.kind, self.text, self.at, self.end = match.lastgroup, match.group(), match.start(), match.end()


class Code:
    """A file of C in tokens. Two empty tokens stand at each end, so that each token has neighbours."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        ends = [Token(m) for m in (re.match("", ""),) * 2]
        self.tokens = ends + [Token(m) for m in TOKEN.finditer(text) if m.lastgroup != "skip"] + ends
        self.partner = {}  # of each bracket, by index: the other one
        open_ones = []
        for i, token in enumerate(self.tokens):
            if token.text in ("(", "[", "{"):
                open_ones.append(i)
            elif token.text in (")", "]", "}") and open_ones:
                self.partner[i] = open_ones.pop()
                self.partner[self.partner[i]] = i
        self.functions = self.named_functions()
        self.alone = self.left_alone()

    def mutations(self):
        """Every mutation, in the order of the text."""
        return [Mutation(self, self.functions[i], *change)
                for i in range(2, len(self.tokens) - 2) if i not in self.alone for change in self.changes_at(i)]

    def is_text(self, i, *texts):
        return self.tokens[i].text in texts

    def named_functions(self):
        """For each token the name of the function in whose body it stands, or ""."""
        names, i = [""] * len(self.tokens), 2
        while i < len(self.tokens):
            end = self.partner.get(i, i) if self.is_text(i, "{") else i
            if end > i and self.is_text(i - 1, ")"):
                names[i:end + 1] = [self.tokens[self.partner[i - 1] - 1].text] * (end + 1 - i)
            i = end + 1
        return names

    def left_alone(self):
        alone, signalling = set(), set()
        for i, token in enumerate(self.tokens[:-2]):
            name = i + 1 if self.tokens[i + 1].kind == "word" else i
            if token.text in ASSERTED and self.is_text(i + 1, "("):
                alone.update(range(i, self.partner[i + 1]))
            if token.text in ("struct", "union") and self.is_text(name + 1, "{"):
                alone.update(range(i, self.partner[name + 1]))
            if token.text == "[" and self.is_length(i):
                alone.update(range(i, self.partner[i]))
            if token.text in SIGNALS:
                signalling.add(self.functions[i])
        return alone | {i for i, name in enumerate(self.functions) if name and name in signalling}

    def is_length(self, i):
        """Whether the bracket at i opens the length of an array that is declared: it stands after a type and a name."""
        before = self.tokens[i - 2]
        return self.tokens[i - 1].kind == "word" and (
            before.text == "*" or (before.kind == "word" and before.text not in WORDS_OF_C))

    def changes_at(self, i):
        """(at, end, new, frees) of each change that begins with token i."""
        token = self.tokens[i]
        if token.kind == "number":
            for new in numbers_beside(token.text):
                yield token.at, token.end, new, False
        elif token.text in SWAPPED and self.has_two_operands(i):
            yield token.at, token.end, SWAPPED[token.text], False
        elif token.text in ("if", "while") and self.is_text(i + 1, "("):
            opened, closed = self.tokens[i + 1], self.tokens[self.partner[i + 1]]
            yield opened.at, closed.end, "(!" + self.text[opened.at:closed.end] + ")", False
        elif token.text in ("break", "continue"):
            yield token.at, token.end, "continue" if token.text == "break" else "break", False
        elif token.text == "return" and not self.is_text(i + 1, ";", "0"):
            yield self.tokens[i + 1].at, self.tokens[self.statement_end(i)].at, "0", False
        if self.begins_statement(i) and self.is_call(i):
            end = self.statement_end(i)
            name = self.tokens[self.partner[end - 1] - 1].text
            yield token.at, self.tokens[end].at, "", bool(FREES.fullmatch(name))

    def has_two_operands(self, i):
        before = self.tokens[i - 1]
        return before.kind in ("number", "text") or before.text in (")", "]") or (
            before.kind == "word" and before.text not in WORDS_OF_C)

    def statement_end(self, i):
        while not self.is_text(i, ";", ""):
            i = self.partner[i] + 1 if self.is_text(i, "(", "[", "{") else i + 1
        return i

    def begins_statement(self, i):
        if not self.functions[i]:
            return False
        if self.is_text(i - 1, ")"):
            return self.is_text(self.partner[i - 1] - 1, "if", "for", "while")
        return self.is_text(i - 1, ";", "{", "}", "else")

    def is_call(self, i):
        """Whether the statement at i is one call, such as `f(x);`, `(void)f(x);` or `s->all[3].f(x);`."""
        if self.is_text(i, "(") and self.is_text(i + 1, "void"):
            i += 3
        if self.tokens[i].kind != "word" or self.tokens[i].text in WORDS_OF_C | ASSERTED:
            return False
        i += 1
        while self.is_text(i, "->", ".", "["):
            i = self.partner[i] + 1 if self.is_text(i, "[") else i + 2
        return self.is_text(i, "(") and self.is_text(self.partner[i] + 1, ";")


def numbers_beside(text):
    """A constant plus one and, where that is not below zero, minus one."""
    m = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+\.?\d*|\.\d+)([uUlLfF]*)", text)
    if not m:
        return
    digits, suffix = m.groups()
    if digits[:2] in ("0x", "0X"):
        value, shown = int(digits, 16), "%#x"
    elif "." in digits:
        value, shown = float(digits), "%r"
    else:
        value, shown = int(digits, 8 if digits[0] == "0" and digits != "0" else 10), "%d"
    yield shown % (value + 1) + suffix
    if value >= 1:
        yield shown % (value - 1) + suffix
