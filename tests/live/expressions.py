"""Templates of expressions by what they give; `{a}` and `{b}` are of one numeric type or texts, others name
a family."""

from __future__ import annotations

NUMBERS = r"""
{a} + {b}
{a} - {b}
{a} * {b}
{a} / {b}
({a} + {b}) * 2
{a} DIV {b}
{a} % {b}
MOD({a}, {b})
-{a}
abs({a})
ROUND({a}, 2)
floor({a})
greatest({a}, {b})
IF({a} > {b}, 1, 0)
CASE WHEN {a} = {b} THEN 1 ELSE 2 END
CASE {a} WHEN 1 THEN 2 END
{a} IS NULL
{a} <=> {b}
{a} BETWEEN 1 AND {b}
{a} IN (1, 2, {b})
NOT {a}
!{a}
{a} AND {b}
{a} OR {b}
{a} XOR {b}
{a} && {b}
{a} || {b}
{a} IS TRUE
{a} IS NOT FALSE
{a} | {b}
{a} ^ {b}
~{a}
{a} << 2
char_length({char})
LENGTH({char})
year({date})
TO_DAYS({date})
EXTRACT(YEAR_MONTH FROM {date})
DATEDIFF({date}, {date})
COALESCE({a}, {b})
CAST({char} AS UNSIGNED)
CAST({a} AS SIGNED INTEGER)
CAST({a} AS DECIMAL(10,2))
crc32({char})
{char} LIKE 'a%'
{char} NOT LIKE 'b' ESCAPE '|'
{char} REGEXP '^a'
NULLIF({a}, {b})
ifnull({a}, {b})
UNIX_TIMESTAMP({date})
instr({char}, 'a')
rand({a})
strcmp({char}, 'b')
POW({a}, 2)
sign({a})
find_in_set('a', {char})
{a} <> {b}
{a} != {b}
weekday({date})
CAST({a} AS DOUBLE)
TRUNCATE({a}, 1)
{char} = 'x'
JSON_VALID({char})
json_length({json})
TIMESTAMPDIFF(DAY, {date}, {date})
CAST({a} AS CHAR) + 1
{a} NOT IN (3)
{a} NOT BETWEEN 1 AND 2
LOCATE('a', {char}, 2)
pi() * {a}
ST_X({geometry})
ascii({char})
QUARTER({date})
interval({a}, 1, 2)
bit_count({a})
""".strip().split("\n")

TEXTS = r"""
CONCAT({a}, {b})
upper({a})
LCASE({a})
SUBSTRING({a}, 1, 3)
substr({a} FROM 2 FOR 1)
LEFT({a}, 2)
mid({a}, 1, 2)
TRIM({a})
trim(BOTH 'x' FROM {a})
TRIM(LEADING FROM {a})
REPLACE({a}, 'a', 'b')
concat_ws('-', {a}, {b})
md5({a})
SHA1({a})
sha2({a}, 256)
hex({a})
IFNULL({a}, {b})
LPAD({a}, 5, '0')
CAST({int} AS CHAR)
CAST({a} AS CHAR(10))
CONVERT({a} USING utf8mb4)
CONVERT({a}, CHAR CHARACTER SET latin1)
{a} COLLATE utf8mb4_bin
CASE WHEN {int} THEN {a} ELSE {b} END
IF({int}, {a}, {b})
reverse({a})
JSON_UNQUOTE(JSON_EXTRACT({json}, '$.a'))
DATE_FORMAT({date}, '%Y-%m')
uuid()
repeat({a}, 2)
FORMAT({int}, 2)
INSERT({a}, 1, 1, 'z')
ELT({int}, 'a', 'b')
BINARY {a}
space(3)
char(65, 66)
CHAR(65 USING utf8mb4)
nullif({a}, '')
ucase({a})
CAST({a} AS BINARY)
quote({a})
SUBSTRING_INDEX({a}, ',', 1)
REGEXP_REPLACE({a}, 'a', 'b')
json_value({json}, '$.a')
user()
database()
conv({a}, 10, 16)
from_base64({a})
monthname({date})
soundex({a})
COALESCE({a}, {b}, 'x')
char({int})
""".strip().split("\n")

DATES = r"""
date_add({date}, INTERVAL {int} {unit})
{date} - INTERVAL 1 DAY
CAST({date} AS DATE)
DATE({datetime})
TIMESTAMP({datetime})
CONVERT({char}, DATETIME)
NOW()
CURRENT_TIMESTAMP(3)
STR_TO_DATE({char}, '%Y')
LAST_DAY({date})
curdate()
utc_timestamp()
IFNULL({date}, {date})
FROM_UNIXTIME({int})
makedate(2020, {int})
sec_to_time({int})
timestampadd(MINUTE, {int}, {datetime})
""".strip().split("\n")

JSON = r"""
JSON_OBJECT('a', {int})
JSON_ARRAY({int}, {char})
JSON_OBJECT()
JSON_EXTRACT({json}, '$.a')
json_set({json}, '$.x', {int})
'{}'
""".strip().split("\n")

SHAPES = r"""
POINT({int}, {int})
ST_GeomFromText('POINT(1 1)')
point(1,1)
""".strip().split("\n")
