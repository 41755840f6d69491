"""Runs a source file, if wanted with other values of its module's constants."""

import ast
import operator
import sys
import types

from .refusal import Refusal, one_line

MODULE = "robust_kbench_imported_source"
NUMBERS = (bool, int, float)
ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
              ast.FloorDiv: operator.floordiv, ast.Div: operator.truediv, ast.Pow: operator.pow}
MAX_EXPONENT = 64


class ModuleFile:
    """A Python file whose numbers at top level are parameters.

    `height = width = 64` gives two, `shape = (3, 5)` gives shape_0 and shape_1. A name that is
    assigned twice gives none. `text` replaces the file's content.
    """

    def __init__(self, path, text=None):
        self.path = path
        self.text = path.read_text(errors="replace") if text is None else text
        try:
            self.tree = ast.parse(self.text, filename=path.name)
        except (SyntaxError, ValueError) as error:
            raise Refusal(f"{path.name} is no Python: {one_line(error)}", "correct the line") from error
        self.constants = {}
        assigned = [name for name, _ in self.assignments(self.tree)]
        for name, value in self.assignments(self.tree):
            if assigned.count(name) > 1:
                continue
            for parameter, number in numbers_of(name, value):
                self.constants[parameter] = number

    @staticmethod
    def assignments(tree):
        for statement in tree.body:
            targets = statement.targets if isinstance(statement, ast.Assign) else \
                [statement.target] if isinstance(statement, ast.AnnAssign) and statement.value else []
            for target in targets:
                if isinstance(target, ast.Name):
                    yield target.id, statement.value

    def load(self, overrides=None):
        """The module, run anew."""
        changed = {name: value for name, value in (overrides or {}).items()
                   if name in self.constants and value != self.constants[name]}
        tree = with_values(ast.parse(self.text, filename=self.path.name), changed)
        module = types.ModuleType(MODULE)
        module.__file__ = str(self.path)
        sys.modules[MODULE] = module
        before = list(sys.path)
        sys.path.insert(0, str(self.path.parent))
        try:
            exec(compile(tree, str(self.path), "exec"), module.__dict__)
        except Refusal:
            raise
        except (Exception, SystemExit) as error:
            raise Refusal(f"{self.path.name} fails when it is run: {one_line(error)}",
                          "see that `python " + self.path.name + "` works here") from error
        finally:
            sys.path[:] = before
        return module


def literal_number(node):
    """The value of a number, or of `8192 * 2`."""
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        left, right = literal_number(node.left), literal_number(node.right)
        if left is None or right is None or isinstance(node.op, ast.Pow) and right > MAX_EXPONENT:
            return None
        try:
            return ARITHMETIC[type(node.op)](left, right)
        except ArithmeticError:
            return None
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None
    return value if isinstance(value, NUMBERS) else None


def numbers_of(name, node):
    number = literal_number(node)
    if number is not None:
        yield name, number
    elif isinstance(node, (ast.Tuple, ast.List)):
        items = [literal_number(item) for item in node.elts]
        if items and all(type(item) is int for item in items):
            yield from ((f"{name}_{i}", item) for i, item in enumerate(items))


def with_values(tree, changed):
    """Replaces constants. Names that one statement assigns get a statement each."""
    body = []
    for statement in tree.body:
        names = [name for name, _ in ModuleFile.assignments(ast.Module([statement], []))]
        parameters = {p for name in names for p, _ in numbers_of(name, statement.value)}
        if not parameters & set(changed):
            body.append(statement)
            continue
        for name in names:
            value = statement.value
            if isinstance(value, (ast.Tuple, ast.List)):
                value = type(value)([ast.Constant(changed[f"{name}_{i}"])
                                     if f"{name}_{i}" in changed else item
                                     for i, item in enumerate(value.elts)], ast.Load())
            elif name in changed:
                value = ast.Constant(changed[name])
            body.append(ast.Assign([ast.Name(name, ast.Store())], value))
    return ast.fix_missing_locations(ast.Module(body, []))
