# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Single faults of a module: operator, constant, branch, swapped arguments, lost statement."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
# Parts without an effect on what is computed: types, texts, and the check of zip().
SILENT_FIELDS = frozenset({'annotation', 'returns', 'decorator_list', 'exc', 'type_params'})
SILENT_KEYWORDS = frozenset({'strict'})
# Functions whose result does not depend on the order of their arguments.
SYMMETRIC = frozenset({'max', 'min', 'maximum', 'minimum', 'hypot', 'dist'})


@dataclass(frozen=True, eq=False)
class Fault:
    """
    One fault of a module.

    Parameters
    ----------
    statement : stmt
        The statement, or the head of the compound statement, that contains it.
    scope : int
        First line of the innermost function or class; 1 for the module.
    node : AST
    field : str
        Field of the node that changes.
    value : object
        Its faulty value.

    """

    statement: ast.stmt
    scope: int
    node: ast.AST
    field: str
    value: Any

    def texts(self, tree: ast.Module) -> tuple[str, str, str]:
        """Return the first line of the statement before and after, and the faulty module."""
        before, correct = _head(self.statement), getattr(self.node, self.field)
        setattr(self.node, self.field, self.value)
        try:
            after = _head(self.statement)
            faulty = ast.unparse(ast.fix_missing_locations(tree))
        finally:
            setattr(self.node, self.field, correct)
        return before, 'pass' if after == before else after, faulty


def list_faults(tree: ast.Module) -> list[Fault]:
    """Return all faults of a module, in the order of its text."""
    return list(_faults_of_block(tree, 'body', 1))


def _faults_of_block(owner: ast.AST, field: str, scope: int) -> Iterator[Fault]:
    """Yield the faults of a list of statements."""
    block = getattr(owner, field)
    for index, statement in enumerate(block):
        if _is_silent(statement):
            continue
        if _can_be_lost(statement):
            without = [*block[:index], ast.Pass(), *block[index + 1 :]]
            yield Fault(statement, scope, owner, field, without)
        yield from _faults_below(statement, statement, scope)


def _is_silent(statement: ast.stmt) -> bool:
    """Return whether a statement imports, documents or lists names."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Name(id='TYPE_CHECKING')):
            return True
        case ast.Assign(targets=[ast.Name(id='__all__')]):
            return True
    return False


def _can_be_lost(statement: ast.stmt) -> bool:
    """Return whether the module stays valid without a statement, with another effect."""
    match statement:
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            return True
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return True
    return False


def _faults_below(node: ast.AST, statement: ast.stmt, scope: int) -> Iterator[Fault]:
    """Yield the faults of a node and of all below it."""
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        scope = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    for field, value in _changes(node):
        yield Fault(statement, scope, node, field, value)
    for field, value in ast.iter_fields(node):
        if field in SILENT_FIELDS:
            continue
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield from _faults_of_block(node, field, scope)
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and getattr(child, 'arg', '') not in SILENT_KEYWORDS:
                yield from _faults_below(child, statement, scope)


def _changes(node: ast.AST) -> Iterator[tuple[str, Any]]:  # noqa: C901, PLR0912 (cases)
    """Yield the faulty values of the fields of one node."""
    match node:
        case ast.BinOp() | ast.AugAssign() | ast.BoolOp():
            if type(node.op) in OPERATORS:
                yield 'op', OPERATORS[type(node.op)]()
        case ast.UnaryOp(op=ast.USub()):
            yield 'op', ast.UAdd()
        case ast.UnaryOp():
            yield 'operand', ast.UnaryOp(node.op, node.operand)
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                for other in COMPARISONS[type(operator)]:
                    yield 'ops', [*node.ops[:index], other(), *node.ops[index + 1 :]]
        case ast.If() | ast.While() | ast.IfExp():
            yield 'test', ast.UnaryOp(ast.Not(), node.test)
        case ast.Constant(value=bool() | int() | float() as value):
            yield 'value', _other_constant(value)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in SYMMETRIC:
            return
        case ast.Call(args=args) if not any(isinstance(each, ast.Starred) for each in args):
            for index in range(len(args) - 1):
                one, other = args[index : index + 2]
                if ast.dump(one) != ast.dump(other):
                    yield 'args', [*args[:index], other, one, *args[index + 2 :]]


def _other_constant(value: float) -> float:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return 2.0 * value or 1.0


def _head(statement: ast.stmt) -> str:
    """Return the first line of a statement, without decorators."""
    lines = ast.unparse(ast.fix_missing_locations(statement)).splitlines()
    return next(line for line in lines if not line.startswith('@'))
