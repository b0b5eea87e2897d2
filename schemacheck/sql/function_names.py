"""Names of functions that servers take for nothing else where a parenthesis touches them."""

from __future__ import annotations

#: `sql_functions` of MySQL and MariaDB (sql/lex.h): with IGNORE_SPACE, blanks may come between. Some are of
#: one flavour, or of newer versions: as a name before a parenthesis none is read here.
FUNCTIONS = frozenset((
    "ADDDATE", "ADD_MONTHS", "BIT_AND", "BIT_OR", "BIT_XOR", "CAST", "COUNT", "CUME_DIST", "CURDATE",
    "CURRENT_DATE", "CURRENT_TIME", "CURTIME", "DATE_ADD", "DATE_FORMAT", "DATE_SUB", "DECODE", "DENSE_RANK",
    "EXTRACT", "FIRST_VALUE", "GROUP_CONCAT", "JSON_ARRAYAGG", "JSON_OBJECTAGG", "JSON_TABLE", "LAG", "LEAD",
    "MAX", "MEDIAN", "MID", "MIN", "NOW", "NTH_VALUE", "NTILE", "PERCENTILE_CONT", "PERCENTILE_DISC",
    "PERCENT_RANK", "POSITION", "RANK", "ROW_NUMBER", "SESSION_USER", "STD", "STDDEV", "STDDEV_POP",
    "STDDEV_SAMP", "ST_COLLECT", "SUBDATE", "SUBSTR", "SUBSTRING", "SUM", "SYSDATE", "SYSTEM_USER", "TRIM",
    "TRIM_ORACLE", "VARIANCE", "VAR_POP", "VAR_SAMP",
))  # fmt: skip
