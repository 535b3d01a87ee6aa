"""What Citus would refuse of a statement, as Postgres's own parser reads it.

Citus locks rows and writes them at one shard at a time, and knows which one only where
the statement says so; it joins distributed tables by their shard; and it refuses what
would mean one node: sequences, advisory locks, notifications, transaction ids.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import postgast
from msgspec import Struct, field
from postgast import pg_query_pb2, unwrap_node, walk

from tests.citus.placement import (
    AT_THE_COORDINATOR,
    BATCHED,
    DISTRIBUTED,
    LOCAL,
    REFERENCE,
    SHARD,
)

INFRA: Final = Path(__file__).parents[2] / "infra"

VERBS: Final = {
    *("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "VALUES", "COPY", "SET"),
    *("LISTEN", "UNLISTEN", "NOTIFY", "LOCK", "CALL", "DO", "DECLARE", "TRUNCATE"),
    *("CREATE", "ALTER", "DROP", "BEGIN", "COMMIT", "PREPARE", "EXECUTE"),
}
"""How a string begins that is a statement."""

ONE_NODE: Final = (
    *("pg_advisory", "pg_try_advisory", "pg_notify", "pg_listening"),
    *("nextval", "currval", "lastval", "setval"),
    *("txid_", "pg_current_xact", "pg_current_snapshot", "pg_snapshot", "pg_xact"),
)
"""How the names of functions begin whose answer is good at one node alone."""

TRANSACTION_IDS: Final = {"xmin", "xmax", "cmin", "cmax"}

REFUSED: Final = {
    *("ListenStmt", "UnlistenStmt", "NotifyStmt", "LockStmt", "MergeStmt"),
    *("TruncateStmt", "DeclareCursorStmt", "CreateStmt", "CreateTableAsStmt"),
}

LEVELS: Final = {"SelectStmt", "InsertStmt", "UpdateStmt", "DeleteStmt"}

EXPRESSION: Final = 2
"""How the parser marks a piece of a function that is an expression."""

Node = Any
"""A node of a statement's tree."""


class Level(Struct):
    """The tables of a statement itself, without its subqueries', by alias.

    The shard of those that are `named` is a given value, of those that are `tied` it is
    that of something else.
    """

    tables: dict[str, str] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    tied: set[str] = field(default_factory=set)
    subqueries: int = 0

    @property
    def ours(self) -> set[str]:
        """Those of its tables that are distributed."""
        return {alias for alias, name in self.tables.items() if name in DISTRIBUTED}


def statements(folder: Path = INFRA) -> Mapping[str, Sequence[str]]:
    """Every statement a running server can send, by module and constant or class.

    Of one that is put together, the part that begins it. The embedded Postgres, in a
    folder below, is never distributed.
    """
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.py")):
        if path.stem not in AT_THE_COORDINATOR:
            for part in ast.parse(path.read_text("utf-8")).body:
                for text in _strings(part):
                    if VERBS & {*text.split(maxsplit=1)[:1]}:
                        found.setdefault(f"{path.stem}.{_name(part)}", []).append(text)
    return found


def faults_of_function(name: str, text: str) -> list[str]:
    """What Citus would refuse of the statements in a function's body."""
    # The parser's account of what a trigger is given cannot be read: leave it out.
    text = text.replace("RETURNS trigger", "RETURNS void", 1)
    return [
        f"{name}: {fault}"
        for statement in _pieces(postgast.parse_plpgsql(text))
        for fault in faults_of_statement(statement, batched=name in BATCHED)
    ]


def faults_of_statement(
    text: str, *, batched: bool = False, spanning: bool = False
) -> list[str]:
    """What Citus would refuse of a statement.

    One that is `batched` writes at the shards of its batch, a `spanning` one at all.
    """
    faults: list[str] = []
    tables: set[str] = set()
    for _, node in walk(postgast.parse(text)):
        kind = node.DESCRIPTOR.name
        if kind in LEVELS:
            faults += _faults_of_level(kind, node, batched=batched, spanning=spanning)
        elif isinstance(node, pg_query_pb2.CommonTableExpr):
            faults += _faults_of_part(unwrap_node(node.ctequery))
        elif isinstance(node, pg_query_pb2.RangeVar):
            tables.add(node.relname)
        else:
            faults += _of_one_node(kind, node)
    if tables & LOCAL.keys() and tables & {*DISTRIBUTED, *REFERENCE}:
        faults.append("tables of one node are used with those of others")
    return faults


def _of_one_node(kind: str, node: Node) -> Iterator[str]:
    """What is refused wherever it stands, or means the node where it is carried out."""
    if kind in REFUSED:
        yield f"a {kind} cannot be distributed"
    names: list[str] = []
    if isinstance(node, pg_query_pb2.FuncCall):
        names = [_last_word(node.funcname)]
    elif isinstance(node, pg_query_pb2.ColumnRef):
        names = [_last_word(node.fields)]
    for name in names:
        if name.startswith(ONE_NODE) or name in TRANSACTION_IDS:
            yield f"{name} means one node"


def _faults_of_part(node: Node) -> Iterator[str]:
    """What a part of a WITH may not do that a whole statement may."""
    if not isinstance(node, pg_query_pb2.SelectStmt) or not node.locking_clause:
        return
    if {*_level("SelectStmt", node).tables.values()} & REFERENCE.keys():
        yield "a copy is locked in a part of a statement"


def _faults_of_level(
    kind: str, node: Node, *, batched: bool, spanning: bool
) -> Iterator[str]:
    level = _level(kind, node)
    if len(level.ours) > 1 and level.ours - level.named - level.tied:
        yield "tables are joined across shards"
    settled = level.named | (level.tied if batched else set())
    if kind == "SelectStmt":
        yield from _faults_of_locks(level, node, settled)
    elif node.relation.relname in DISTRIBUTED and not spanning:
        if kind == "InsertStmt":
            if not all(_is_settled(it, batched=batched) for it in _inserted(node)):
                yield "rows of several shards are inserted"
        elif _alias(node.relation) not in settled:
            yield "rows of several shards are written"
        if kind == "UpdateStmt" and SHARD in _names(node.target_list):
            yield "a row is moved to another shard"


def _faults_of_locks(level: Level, node: Node, settled: set[str]) -> Iterator[str]:
    for clause in map(unwrap_node, node.locking_clause):
        names = {item.range_var.relname for item in clause.locked_rels}
        if (level.ours & names if names else level.ours) - settled:
            yield "rows of several shards are locked"
        if level.subqueries and not names:
            yield "rows of a subquery are locked"


def _level(kind: str, node: Node) -> Level:
    level = Level()
    if kind == "InsertStmt":
        return level
    if kind != "SelectStmt":
        level.tables[_alias(node.relation)] = node.relation.relname
    for part in node.using_clause if kind == "DeleteStmt" else node.from_clause:
        _join(level, unwrap_node(part))
    _compare(level, node.where_clause)
    return level


def _join(level: Level, node: Node) -> None:
    if isinstance(node, pg_query_pb2.RangeVar):
        level.tables[_alias(node)] = node.relname
    elif isinstance(node, pg_query_pb2.RangeSubselect):
        level.subqueries += 1
    elif isinstance(node, pg_query_pb2.JoinExpr):
        _join(level, unwrap_node(node.larg))
        _join(level, unwrap_node(node.rarg))
        _compare(level, node.quals)
        if SHARD in {item.string.sval for item in node.using_clause}:
            level.tied |= level.tables.keys()


def _compare(level: Level, condition: Node) -> None:
    """Note what a condition, and all that it joins by AND, says of shards."""
    node: Node = unwrap_node(condition)
    if isinstance(node, pg_query_pb2.BoolExpr):
        if node.boolop == pg_query_pb2.AND_EXPR:
            for part in node.args:
                _compare(level, part)
    elif isinstance(node, pg_query_pb2.A_Expr) and _last_word(node.name) == "=":
        left, right = unwrap_node(node.lexpr), unwrap_node(node.rexpr)
        for one, other in ((left, right), (right, left)):
            for alias in _whose_shard(level, one):
                (level.named if _is_given(other) else level.tied).add(alias)


def _whose_shard(level: Level, node: Node) -> set[str]:
    """The tables whose shard a node is, or is with something added, by alias."""
    if isinstance(node, pg_query_pb2.A_Expr) and _last_word(node.name) == "+":
        node = unwrap_node(node.lexpr)
    if not isinstance(node, pg_query_pb2.ColumnRef) or _last_word(node.fields) != SHARD:
        return set()
    *table, _ = (item.string.sval for item in node.fields)
    return {table[-1]} if table else {*level.tables}


def _inserted(node: Node) -> Iterator[Node]:
    """What an INSERT puts into the column of the shard."""
    place = _names(node.cols).index(SHARD)
    select = node.select_stmt.select_stmt
    for row in select.values_lists:
        yield unwrap_node(row.list.items[place])
    if not select.values_lists:
        yield unwrap_node(select.target_list[place].res_target.val)


def _is_settled(node: Node, *, batched: bool) -> bool:
    by_batch = isinstance(node, pg_query_pb2.ColumnRef)
    return _is_given(node) or (
        batched and by_batch and _last_word(node.fields) == SHARD
    )


def _is_given(node: Node) -> bool:
    """Whether a node is a constant or a parameter, whatever its type."""
    if isinstance(node, pg_query_pb2.TypeCast):
        node = unwrap_node(node.arg)
    return isinstance(node, (pg_query_pb2.ParamRef, pg_query_pb2.A_Const))


def _alias(node: Node) -> str:
    return str(node.alias.aliasname or node.relname)


def _names(targets: Sequence[Node]) -> list[str]:
    return [item.res_target.name for item in targets]


def _last_word(names: Sequence[Node]) -> str:
    return str(names[-1].string.sval)


def _pieces(tree: object) -> Iterator[str]:
    """The statements and expressions of a function, none of which it puts together."""
    if isinstance(tree, list):
        for item in tree:
            yield from _pieces(item)
    elif isinstance(tree, dict):
        assert "PLpgSQL_stmt_dynexecute" not in tree, "nobody can read what it executes"
        if isinstance(text := tree.get("query"), str):
            yield f"SELECT {text}" if tree.get("parseMode") == EXPRESSION else text
        for item in tree.values():
            yield from _pieces(item)


def _strings(part: ast.stmt) -> Iterator[str]:
    for node in ast.walk(part):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _name(part: ast.stmt) -> str:
    match part:
        case ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.ClassDef(name=name):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name
        case _:
            return "?"
