"""Lint: each code on a set that deserves it, and not on one that does not."""

import pytest

from schemacheck.filters.lint import lint
from schemacheck.filters.read import from_options
from schemacheck.model import Link
from schemacheck.model.filters import FilterSet
from tests.filters.deciding import logging

MYSQL = Link.of("mysql-8.0.36")
OLD = Link.of("mysql-5.6", binlog_format="ROW")


def codes(options: str, link: Link = OLD) -> set[str]:
    return {finding.code for finding in lint(from_options(options.split()), link)}


@pytest.mark.parametrize(
    ("code", "link", "bad", "good"),
    [
        (
            "ignore-db-never-read",
            OLD,
            "--replicate-do-db=a --replicate-ignore-db=b",
            "--replicate-ignore-db=b",
        ),
        ("ignore-db-never-read", OLD, "--binlog-do-db=a --binlog-ignore-db=b", "--binlog-do-db=a"),
        ("comma-in-name", OLD, "--replicate-do-db=a,b", "--replicate-do-db=a --replicate-do-db=b"),
        (
            "rewrite-never-used",
            OLD,
            "--replicate-rewrite-db=a->b --replicate-rewrite-db=a->c",
            "--replicate-rewrite-db=a->b",
        ),
        (
            "rewrite-is-no-chain",
            OLD,
            "--replicate-rewrite-db=a->b --replicate-rewrite-db=b->c",
            "--replicate-rewrite-db=a->b",
        ),
        (
            "names-old-database",
            OLD,
            "--replicate-rewrite-db=a->b --replicate-do-db=a",
            "--replicate-rewrite-db=a->b --replicate-do-db=b",
        ),
        (
            "do-and-ignore-mixed",
            OLD,
            "--replicate-do-table=a.b --replicate-ignore-table=a.c",
            "--replicate-do-table=a.b",
        ),
        (
            "one-statement-for-both",
            OLD,
            "--replicate-do-table=a.b --replicate-ignore-table=a.c",
            "--replicate-ignore-table=a.c",
        ),
        (
            "accounts-are-ignored",
            OLD,
            "--replicate-do-table=a.b",
            "--replicate-do-table=a.b --replicate-wild-do-table=mysql.%",
        ),
        (
            "accounts-are-ignored",
            OLD,
            "--replicate-wild-ignore-table=mysql.%",
            "--replicate-wild-ignore-table=my.%",
        ),
        (
            "rule-never-decides",
            OLD,
            "--replicate-do-table=a.b --replicate-ignore-table=a.b",
            "--replicate-ignore-table=a.b",
        ),
        (
            "rule-never-decides",
            OLD,
            "--replicate-wild-do-table=%.% --replicate-wild-do-table=a.%",
            "--replicate-wild-do-table=a.%",
        ),
        (
            "database-statements-not-covered",
            OLD,
            "--replicate-wild-do-table=a.t%",
            "--replicate-wild-do-table=a.%",
        ),
        (
            "underscore-is-a-wildcard",
            OLD,
            "--replicate-wild-do-table=d_1.%",
            "--replicate-wild-do-table=d\\_1.%",
        ),
        ("ddl-depends-on-default-database", OLD, "--replicate-do-db=a", "--replicate-do-table=a.b"),
    ],
)
def test_codes(code: str, link: Link, bad: str, good: str) -> None:
    assert code in codes(bad, link)
    assert code not in codes(good, link)


def test_default_database_by_format() -> None:
    assert "depends-on-default-database" in codes("--replicate-do-db=a", logging(OLD, "STATEMENT"))
    assert "depends-on-default-database" not in codes("--replicate-do-db=a", OLD)


def test_underscore_with_the_schemas_tables() -> None:
    options = from_options(["--replicate-wild-ignore-table=app_1.%"])
    (finding,) = (
        f
        for f in lint(options, OLD, tables=[("app_1", "t"), ("appx1", "t"), ("other", "t")])
        if f.code == "underscore-is-a-wildcard"
    )
    assert finding.message == "_ matches any one character: here also appx1.t"
    assert finding.remedy == "write app\\_1.%"
    assert not [
        f for f in lint(options, OLD, tables=[("app_1", "t")]) if f.code == "underscore-is-a-wildcard"
    ]


def test_no_filters_no_findings() -> None:
    assert lint(FilterSet(), MYSQL) == ()
