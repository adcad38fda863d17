"""Changes of Python code that a test should notice: a comparison reversed, a condition left out, a number increased."""

import ast
from collections.abc import Iterator

from msgspec import Struct

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
}


class Mutation(Struct, frozen=True):
    """A change: its place, as bytes of the file and as a line from 1, the text before, and the text now."""

    line: int
    start: int
    end: int
    before: str
    after: str

    def made_in(self, code: bytes) -> bytes:
        """The file with the change."""
        return code[: self.start] + self.after.encode() + code[self.end :]


def mutations(code: bytes) -> list[Mutation]:
    """Every change that this file offers, each of which is valid Python. Raises `SyntaxError`."""
    places = _Places(code)
    found = [
        mutation
        for node in _changeable(ast.parse(code))
        for other in _others(node)
        if (mutation := places.replaced(node, other)) is not None
    ]
    return sorted(set(found), key=lambda mutation: (mutation.start, mutation.end, mutation.after))


def _changeable(tree: ast.AST) -> Iterator[ast.expr]:
    """The expressions that decide something: no annotations, decorators or formatted strings."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.expr):
            yield node
        yield from _changeable(_without_signs(node))


def _without_signs(node: ast.AST) -> ast.AST:
    """The node without annotations and decorators, which decide nothing."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            defaults = [default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None]
            return ast.Module([*(ast.Expr(default) for default in defaults), *node.body], [])
        case ast.ClassDef():
            return ast.Module(node.body, [])
        case ast.AnnAssign():
            return ast.Module([ast.Expr(node.value)] if node.value is not None else [], [])
    return node


def _others(node: ast.expr) -> Iterator[ast.expr]:
    """The expressions that could replace a given one."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield ast.Compare(left, [COMPARED[type(operator)]()], [right])
            for text in (left, right):
                if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value:
                    other = ast.Constant(f"{text.value}~")
                    yield ast.Compare(*((other, [operator], [right]) if text is left else (left, [operator], [other])))
        case ast.BoolOp(op=operator, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            yield from values
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in RECKONED and not _has_text(node):
            yield ast.BinOp(left, RECKONED[type(operator)](), right)
        case ast.IfExp(body=body, orelse=orelse):
            yield body
            yield orelse
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)


def _has_text(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Constant | ast.JoinedStr) and _is_text(part) for part in ast.walk(node))


def _is_text(part: ast.AST) -> bool:
    return isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Constant) and isinstance(part.value, str | bytes))


class _Places:
    """The places of expressions in a file, in bytes."""

    def __init__(self, code: bytes) -> None:
        self._code = code
        self._starts = [0]
        for line in code.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def replaced(self, node: ast.expr, other: ast.expr) -> Mutation | None:
        """The change of one expression into another; None if nothing changes."""
        if node.end_lineno is None or node.end_col_offset is None:
            return None
        start = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[node.end_lineno - 1] + node.end_col_offset
        before = self._code[start:end].decode()
        after = ast.unparse(other)
        if not isinstance(other, ast.Constant | ast.Name | ast.Attribute | ast.Call):
            after = f"({after})"
        if ast.unparse(node) == ast.unparse(other):
            return None
        return Mutation(node.lineno, start, end, before, after)
