"""The classes of the record and the server as the architecture tests see them: their attributes, as far as named.

Types are read from the text: from annotations, and from called constructors. An object whose class is not named
this way is not followed.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.architecture.sources import python_files, tree

FLOORS = ("replay", "server")
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Known:
    """A class of ours, in its file."""

    def __init__(self, node: ast.ClassDef, path: Path) -> None:
        self.node, self.path = node, path
        self.bases = [name for base in node.bases if (name := named(base))]
        self.is_plain = not any(isinstance(each, Function) and each.name != "__init__" for each in node.body)
        self.attributes: dict[str, str] = {}


def named(annotation: ast.expr | None) -> str:
    """The class that an annotation names: of `X`, `X[S]`, `X | None` and `"X"`; empty for another one."""
    match annotation:
        case ast.Name(id=name):
            return name
        case ast.Subscript(value=value):
            return named(value)
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return named(left)
        case ast.Constant(value=str(text)):
            return named(ast.parse(text, mode="eval").body)
    return ""


def made(value: ast.expr | None, names: dict[str, str]) -> str:
    """The class of a value: a name whose class is known, a constructor that is called, or one of two such."""
    match value:
        case ast.Name(id=name):
            return names.get(name, "")
        case ast.Call(func=ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name))):
            return name
        case ast.BoolOp(values=[first, *_]):
            return made(first, names)
        case ast.IfExp(body=body):
            return made(body, names)
    return ""


def parameters(function: Function) -> dict[str, str]:
    """The classes of a function's parameters, by name."""
    each = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    return {one.arg: named(one.annotation) for one in each if named(one.annotation)}


def assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None, ast.expr | None]]:
    """(target, value, annotation) of each assignment, those of tuples one by one."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                    yield from ((one, of, None) for one, of in zip(target.elts, value.elts, strict=False))
                elif isinstance(target, ast.Tuple):
                    yield from ((one, None, None) for one in target.elts)
                else:
                    yield target, value, None
        case ast.AnnAssign(target=target, value=value, annotation=annotation):
            yield target, value, annotation
        case ast.AugAssign(target=target):
            yield target, None, None


def _attributes(known: Known) -> Iterator[tuple[str, str]]:
    for each in known.node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            yield each.target.id, named(each.annotation)
        if not isinstance(each, Function):
            continue
        if any(ast.unparse(one) == "property" for one in each.decorator_list):
            yield each.name, named(each.returns)
        names = parameters(each)
        for node in ast.walk(each):
            for target, value, annotation in assigned(node):
                if isinstance(target, ast.Name):
                    names.setdefault(target.id, made(value, names))
                elif isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self":
                    yield target.attr, named(annotation) or made(value, names)


@cache
def scope(path: Path) -> dict[str, str]:
    """The classes that a file names: each by its name there, with its module before it."""
    found = {node.name: f"{module(path)}.{node.name}" for node in tree(path).body if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    return found


def module(path: Path) -> str:
    """The dotted name of a file's module."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@cache
def classes() -> dict[str, Known]:
    """The classes of both floors, each with its module before it."""
    found: dict[str, Known] = {}
    for path in python_files(*FLOORS):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                found[f"{module(path)}.{node.name}"] = Known(node, path)
    for known in found.values():
        known.attributes = {name: scope(known.path)[of] for name, of in _attributes(known) if of in scope(known.path)}
        known.bases = [scope(known.path).get(base, base) for base in known.bases]
    return found


@cache
def is_object(name: str) -> bool:
    """Whether a class is one of ours with behaviour, or combines such classes: no struct, exception or mere fields."""
    known = classes().get(name)
    if known is None:
        return False
    if any(base.rpartition(".")[2] in {"Struct", "Exception", "Enum", "StrEnum"} for base in ancestors(known)):
        return False
    return not known.is_plain or any(of != name and is_object(of) for of in known.attributes.values())


def ancestors(known: Known) -> Iterator[str]:
    """The classes that a class is made from, as far as they are ours, and the first that are not."""
    for base in known.bases:
        yield base
        if base in classes():
            yield from ancestors(classes()[base])


def chain(node: ast.expr) -> list[str]:
    """The names of `a.b.c`; empty where it begins with anything but a name."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id, *reversed(names)] if isinstance(node, ast.Name) else []


def met(names: list[str], own: str, local: dict[str, str]) -> list[str]:
    """The classes of `a`, `a.b` and so on, as far as they are known."""
    found = [own if names[0] == "self" else local.get(names[0], "")]
    for name in names[1:]:
        known = classes().get(found[-1])
        if known is None:
            break
        attribute = next((one.attributes[name] for one in _line(known) if name in one.attributes), "")
        found.append(attribute)
    return found


def _line(known: Known) -> Iterator[Known]:
    yield known
    yield from (classes()[base] for base in ancestors(known) if base in classes())


def functions(path: Path) -> Iterator[tuple[str, Function]]:
    """(class or nothing, function) of each function of a file that is in a class or a module."""
    for node in tree(path).body:
        if isinstance(node, Function):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{module(path)}.{node.name}", each) for each in node.body if isinstance(each, Function))


def locals_of(function: Function, path: Path) -> tuple[dict[str, str], set[str]]:
    """The classes of parameters and local names, and the names whose objects the function has made."""
    names, own = parameters(function), set[str]()
    for node in ast.walk(function):
        for target, value, annotation in assigned(node):
            if isinstance(target, ast.Name):
                names.setdefault(target.id, named(annotation) or made(value, names))
                own |= {target.id} if isinstance(value, ast.Call) else set()
    return {name: scope(path)[of] for name, of in names.items() if of in scope(path)}, own
