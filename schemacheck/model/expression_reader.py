"""The reader of expressions: by operator precedence, into Nodes that are printed in one spelling."""

from __future__ import annotations

from schemacheck.model import expression_calls as calls
from schemacheck.model.expression_cursor import Cursor, Malformed, Unreadable
from schemacheck.model.expression_text import (
    BANG,
    BARE,
    BETWEEN,
    BETWEEN_ARGUMENTS,
    BINARY,
    COMPARED,
    CONCAT,
    CONSTANT,
    FUNCTIONS,
    NEGATED,
    NUMBER,
    PREDICATE,
    PREDICATES,
    REWRITTEN,
    SAME,
    SHORT_NUMBER,
    SIGN,
    STANDING_ALONE,
    UNITS,
    Node,
    bits,
    compared,
    condition,
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

    def expression(self, least: int, *, to_predicate: bool = False) -> Node:
        """An expression of operators that bind at least so strongly; `to_predicate`: it ends behind IS or a
        predicate. Raises Unreadable.
        """
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
            if level is None or level < least or (to_predicate and self.is_behind_one(level)):
                self.depth -= 1
                return left
            self.follows(level)
            left = self.infix(left, word, level)
            if level in (COMPARED, BETWEEN, PREDICATE):
                self.ended[self.at] = "is" if word == "is" else "predicate" if level > COMPARED else ""

    def is_behind_one(self, level: int) -> bool:
        """Whether IS or a predicate ends before an operator of which it can be no operand."""
        before = self.ended.get(self.at, "")
        return bool(before) and level > (COMPARED if before == "is" else PREDICATE)

    def follows(self, level: int) -> None:
        """Refuse an operator behind IS or a predicate whose result is no operand of it."""
        before = self.ended.get(self.at, "")
        if not before:
            return
        tight = self.is_behind_one(level)
        if self.grammar == "mysql":
            plain = self.tokens[self.at - 1][1] == "null"
            tight |= level >= BETWEEN if before == "predicate" else not plain and level >= COMPARED
        if tight:
            self.refuse()

    def refuse(self) -> None:
        """What the grammar that is asked for does not have; where none is, it is read all the same."""
        if self.grammar:
            raise Malformed

    def infix(self, left: Node, word: str, level: int) -> Node:
        """What stands behind an operand: an operator and its right side."""
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
            if low.text == high.text and CONSTANT.match(low.text):
                # MySQL prints a comparison there, or not, by what stands around it and when (asked of 9.7).
                return compared("=", (wrap(left), wrap(low)), level, mysql=self.mysql)
            return Node(f"{wrap(left)} between {wrap(low)} and {wrap(high)}", level, "between")
        if word == "member":
            self.need("of")
            self.need("(")
            inner = self.expression(0)
            self.need(")")
            return Node(f"{wrap(left)} member of ({inner.text})", level, "member")
        if word == "sounds":
            self.need("like")
            right = Node(f"soundex({self.expression(level + 1).text})")
            return join("=", Node(f"soundex({left.text})"), right, COMPARED)
        if word == "collate":
            kind, value = self.tokens[self.at]
            self.at += 1
            if kind not in ("word", "name", "string"):
                raise Unreadable
            return Node(f"{wrap(left)} collate {value.strip('`' + chr(39)).lower()}", level, "collate")
        if word in ("+", "-") and self.peek() == "interval":
            right = self.interval(leads=False)
        else:
            right = self.operand(word, level)
        if word == "||":  # PIPES_AS_CONCAT
            return Node(f"concat({left.text},{right.text})")
        if word == "like" and self.take("escape"):
            last = wrap(self.operand(word, level))
            return Node(f"{wrap(left)} like {wrap(right)} escape {last}", level, "like")
        if word == "xor" and self.mysql:
            left, right = condition(left), condition(right)
        return join(SAME.get(word, word), left, right, level, mysql=self.mysql)

    def operand(self, word: str, level: int) -> Node:
        """The right side of an operator, or what stands behind ESCAPE."""
        found = self.expression(CONCAT if word == "like" and self.grammar == "mysql" else level + 1)
        if word in ("like", "regexp", "rlike") and self.grammar != "mysql":
            # NOT IN and the like behind it belong to the right side (asked of MariaDB; MySQL has none there).
            while self.peek() == "not" and self.tokens[self.at + 1][1] in PREDICATES:
                found = self.infix(found, "not", level)
        return found

    def single(self) -> Node | None:
        """The one value of IN (x), its parenthesis closed; None, and nothing read, where there are more."""
        at, names = self.at, set(self.names)
        found = self.expression(0)
        if self.take(")"):
            return found
        self.at, self.names = at, names
        return None

    def prefix(self, least: int = 0) -> Node:
        """A sign, NOT, BINARY or INTERVAL, or an operand."""
        if self.take("not"):
            if least > NEGATED and not self.high_not:
                self.refuse()
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
            return self.interval(leads=True)
        return self.postfix(self.atom())

    def interval(self, *, leads: bool) -> Node:
        """INTERVAL amount unit, or the function INTERVAL(a, b). What is behind the + of one that `leads` ends
        with the next AND, OR or XOR (asked of 9.7, 10.11 and 11.8).
        """
        at, names = self.at, set(self.names)
        self.at += 1
        amount = self.expression(0)
        unit = self.peek()
        # No amount is a row.
        if not UNITS.match(unit) or amount.text.startswith("row("):
            self.at, self.names = at, names
            return self.postfix(self.atom())
        self.at += 1
        found = Node(f"interval {wrap(amount)} {unit}", 99, "interval")
        if not (leads and self.take("+")):
            return found
        return join("+", self.expression(NEGATED, to_predicate=True), found, BINARY["+"])

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
                found = bits(self.tokens[self.at][1])
                self.at += 1
                return Node(f"{value} {found}")
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
            at, names = self.at, set(self.names)
            made = calls.rewritten(self, name)
            if made is not None:
                return made
            self.at, self.names = at, names
        plain = FUNCTIONS.get(name, name)
        arguments = self.arguments(")")
        return Node(f"{plain}({arguments})", 99, plain)

    def listed(self) -> list[Node]:
        """Arguments up to the closing parenthesis; none where something else stands between them."""
        found = [self.expression(0)]
        while self.take(","):
            found.append(self.expression(0))
        return found if self.take(")") else []

    def arguments(self, close: str) -> str:
        """What is between parentheses, to the closing one; words between arguments (`from`, `for`,
        `separator`) stay.
        """
        if self.take(close):
            return ""
        out = ""
        while True:
            if self.peek() in ("both", "leading", "trailing", "distinct") or (
                UNITS.match(self.peek() or " ") and self.tokens[self.at + 1][1] in (",", "from")
            ):
                # BOTH is what TRIM does without a word.
                out += "" if self.peek() == "both" else self.peek() + " "
                self.at += 1
                if self.take("from"):
                    out += "from "
                    continue
                if self.take(","):
                    out = out.rstrip(" ") + ","
                    continue
            if self.take("*"):
                out += "*"
            else:
                out += self.expression(0).text
            if self.take(close):
                return out
            if self.take(","):
                out += ","
            elif self.peek() in BETWEEN_ARGUMENTS:
                return calls.clause(self, out, close)
            else:
                raise Unreadable
