"""The reader of expressions: by operator precedence, into Nodes that are printed in one spelling."""

from __future__ import annotations

from schemacheck.model import expression_calls as calls
from schemacheck.model.expression_calls import Cursor
from schemacheck.model.expression_text import (
    BANG,
    BARE,
    BETWEEN,
    BETWEEN_ARGUMENTS,
    BINARY,
    COMPARED,
    CONCAT,
    FUNCTIONS,
    NEGATED,
    NUMBER,
    PREDICATE,
    PREDICATES,
    REWRITTEN,
    SAME,
    SHAPES,
    SHORT_NUMBER,
    SIGN,
    STANDING_ALONE,
    UNITS,
    Node,
    Unreadable,
    bits,
    compared,
    join,
    tested,
    truth,
    wrap,
)
from schemacheck.model.quote import string, unquote, where_needed
from schemacheck.model.words import introduces, is_introducer

#: Deeper nesting is left as words.
_DEEPEST = 60


class Reader(Cursor):
    """The grammar of expressions."""

    def expression(self, least: int) -> Node:
        """An expression of operators that bind at least so strongly. Raises Unreadable."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise Unreadable
        left = self.prefix(least)
        while True:
            word = self.peek()
            level = BINARY.get(word)
            if word == "not":
                # NOT LIKE binds as LIKE does.
                level = BINARY.get(self.tokens[self.at + 1][1], BETWEEN)
            if level is None or level < least:
                self.depth -= 1
                return left
            if level >= self.closed.get(self.at, level + 1):
                # What IS and a predicate give is no operand of what binds as they do.
                raise Unreadable
            left = self.infix(left, word, level)
            if word == "is" or level in (BETWEEN, PREDICATE):
                plain = word != "is" or self.tokens[self.at - 1][1] == "null"
                self.closed[self.at] = BETWEEN if plain else COMPARED

    def infix(self, left: Node, word: str, level: int) -> Node:
        """What stands behind an operand: an operator and its right side."""
        if left.root == "interval":
            raise Unreadable
        if word == "not":
            self.at += 1
            operator = self.peek()
            if operator not in PREDICATES:
                raise Unreadable
            return join("not", None, self.infix(left, operator, BINARY[operator]), mysql=self.mysql)
        self.at += 1
        if word == "is":
            turned = "not " if self.take("not") else ""
            for value in ("null", "true", "false", "unknown"):
                if self.take(value):
                    asked = turned + ("null" if value == "unknown" else value)
                    return tested(left, asked, level, mysql=self.mysql)
            raise Unreadable
        if word == "in":
            self.need("(")
            if self.peek() != "(" and (only := self.single()) is not None:
                return compared("=", (wrap(left), wrap(only)), level, mysql=self.mysql)
            return Node(f"{wrap(left)} in ({self.arguments(')')})", level, "in")
        if word == "between":
            low = self.expression(PREDICATE)
            self.need("and")
            high = self.expression(BETWEEN)
            if low.text == high.text:
                # MySQL prints a comparison there, or not, by what stands around it and when (asked of 9.7).
                raise Unreadable
            return Node(f"{wrap(left)} between {wrap(low)} and {wrap(high)}", level, "between")
        if word == "collate":
            kind, value = self.tokens[self.at]
            self.at += 1
            if kind not in ("word", "name", "string"):
                raise Unreadable
            return Node(f"{wrap(left)} collate {value.strip('`' + chr(39)).lower()}", level, "collate")
        if word in ("+", "-") and self.peek() == "interval":
            right = self.interval()
        else:
            right = self.expression(CONCAT if word == "like" and self.mysql else level + 1)
        if word == "||":  # PIPES_AS_CONCAT
            return Node(f"concat({left.text},{right.text})")
        if word == "like" and self.take("escape"):
            last = wrap(self.expression(level + 1))
            return Node(f"{wrap(left)} like {wrap(right)} escape {last}", level, "like")
        return join(SAME.get(word, word), left, right, level, mysql=self.mysql)

    def single(self) -> Node | None:
        """The one value of IN (x), its parenthesis closed; None, and nothing read, where there are more."""
        at, names = self.at, set(self.names)
        node = self.expression(0)
        if self.take(")"):
            return node
        self.at, self.names = at, names
        return None

    def prefix(self, least: int = 0) -> Node:
        """A sign, NOT, BINARY or INTERVAL, or an operand."""
        if self.take("not"):
            if least > NEGATED and not self.high_not:
                raise Unreadable
            inner = self.expression(BANG if self.high_not else NEGATED)
            return join("not", None, inner, mysql=self.mysql)
        if self.take("!"):
            return join("not", None, self.expression(BANG), mysql=self.mysql)
        if self.take("-"):
            inner = self.expression(SIGN)
            if inner.level == 99 and (NUMBER.match(inner.text) or SHORT_NUMBER.match(inner.text)):
                # MariaDB computes it.
                zero = not inner.text.strip("0.")
                return Node(
                    inner.text[1:] if inner.text[0] == "-" else inner.text if zero else "-" + inner.text
                )
            return Node("-" + wrap(inner), SIGN, "-")
        if self.take("+"):
            return self.expression(SIGN)
        if self.take("~"):
            return Node("~" + wrap(self.expression(SIGN)), SIGN, "~")
        if self.take("binary"):
            return Node(f"cast({self.expression(BANG).text} as binary)")
        if self.peek() == "interval":
            return self.interval()
        return self.postfix(self.atom())

    def interval(self) -> Node:
        """INTERVAL amount unit."""
        self.at += 1
        amount, unit = self.expression(0), self.peek()
        # No amount is a row.
        if not UNITS.match(unit) or amount.text.startswith("row("):
            raise Unreadable
        self.at += 1
        return Node(f"interval {wrap(amount)} {unit}", 99, "interval")

    def postfix(self, node: Node) -> Node:
        """The JSON operators behind an operand."""
        while self.peek() in ("->", "->>"):
            unquoted = self.peek() == "->>"
            self.at += 1
            path = self.atom()
            node = Node(f"json_extract({node.text},{path.text})")
            if unquoted:
                node = Node(f"json_unquote({node.text})")
        return node

    def atom(self) -> Node:
        """A literal, a name, a call or parentheses."""
        kind, value = self.tokens[self.at]
        self.at += 1
        if kind == "string":
            text = unquote(value)
            while self.kind() == "string":
                text += unquote(self.tokens[self.at][1])
                self.at += 1
            return Node(string(text))
        if kind == "number":
            return Node(value.lower())
        if kind == "bits":
            return Node(bits(value) if self.mysql or value[0] != "x" else value)
        if kind == "name":
            return self.column(where_needed(value[1:-1].replace("``", "`").lower()))
        if kind == "operator" and value == "(":
            if self.peek() == "select":
                raise Unreadable
            inner = self.expression(0)
            if self.take(","):
                if self.peek() == ")":
                    raise Unreadable
                return Node(f"row({inner.text},{self.arguments(')')})")
            self.need(")")
            return inner
        if kind != "word":
            raise Unreadable
        return self.word(value)

    def word(self, value: str) -> Node:
        """What a word begins."""
        following = self.peek()
        if is_introducer(value) and self.kind() in ("string", "bits"):
            if self.kind() == "bits":
                result = bits(self.tokens[self.at][1])
                self.at += 1
                return Node(f"{value} {result}")
            literal = self.atom()
            return Node(value + literal.text) if introduces(value, literal.text) else literal
        if value == "case":
            return self.case()
        if value in ("date", "time", "timestamp") and self.kind() == "string":
            return Node(f"{value}{self.atom().text}")
        if following == "(" and value not in ("and", "or", "in"):
            self.at += 1
            return self.call(value)
        if value in BARE:
            return Node(FUNCTIONS.get(value, value) + "()")
        if following == ".":
            return self.column(value)
        if value in ("true", "false"):
            return Node(value if self.has_true else "1" if value == "true" else "0", root="bool")
        if value not in STANDING_ALONE and value[0] != "@":
            self.names.add(value)
            value = where_needed(value)
        return Node(value)

    def column(self, name: str) -> Node:
        """`table.column`: the column's name alone."""
        while self.take("."):
            kind, value = self.tokens[self.at]
            if kind not in ("word", "name"):
                raise Unreadable
            self.at += 1
            name = value if kind == "word" else where_needed(value[1:-1].replace("``", "`").lower())
        self.names.add(name[1:-1].replace("``", "`") if name[0] == "`" else name)
        return Node(name)

    def case(self) -> Node:
        """CASE to its END."""
        out = "case"
        if self.peek() != "when":
            out += " " + self.expression(0).text
        searched = out == "case"
        while self.take("when"):
            asked = self.expression(0)
            out += " when " + (truth(asked) if searched else asked).text
            self.need("then")
            out += " then " + self.expression(0).text
        if self.take("else"):
            out += " else " + self.expression(0).text
        self.need("end")
        return Node(out + " end")

    def call(self, name: str) -> Node:
        """A function to its closing parenthesis."""
        if name in ("cast", "convert"):
            return calls.cast(self, name)
        if name in ("date_add", "date_sub", "adddate", "subdate"):
            return calls.date_arithmetic(self, name)
        if name in REWRITTEN:
            made = calls.rewritten(self, name)
            if made is None:
                raise Unreadable
            return made
        if SHAPES.match(name):
            raise Unreadable
        plain = FUNCTIONS.get(name, name)
        arguments = self.arguments(")")
        return Node(f"{plain}({arguments})", 99, plain)

    def listed(self) -> list[Node]:
        """Arguments up to the closing parenthesis; none where something else stands between them."""
        nodes = [self.expression(0)]
        while self.take(","):
            nodes.append(self.expression(0))
        return nodes if self.take(")") else []

    def arguments(self, close: str) -> str:
        """What is between parentheses, to the closing one."""
        if self.take(close):
            return ""
        out = ""
        word, behind = self.peek(), self.tokens[min(self.at + 1, len(self.tokens) - 1)][1]
        if word == "distinct" or (UNITS.match(word or " ") and behind in (",", "from")):
            out = word + (" " if word == "distinct" else "," if behind == "," else " from ")
            self.at += 1 if word == "distinct" else 2
        while True:
            out += "*" if self.take("*") else self.expression(0).text
            if self.take(close):
                return out
            if self.take(","):
                out += ","
            elif self.peek() in BETWEEN_ARGUMENTS:
                return calls.clause(self, out, close)
            else:
                raise Unreadable
