"""Tables as applications have them, and what they write there: what generate_scenarios.py draws from."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: Values by the first word of a type, as statements have them.
VALUES = {
    line.split()[0]: line.split(None, 1)[1].split("; ")
    for line in """\
tinyint 0; 1; 127; -1; 100
smallint 0; 1; 300; 32767; -1
int 0; 1; 2147483647; -5; 70000
bigint 0; 1; 4294967296; -9; 9007199254740993
decimal 0; 19.99; -0.01; 99999999.99; 1234.5678; 100
double 0.1; 1e10; -2.5
varchar 'Anna'; 'M\u00fcller'; '\U0001f600 ok'; ''; 'anna'; REPEAT('x', 40); 'a '
char 'DE'; 'at'; '\u00d6'; ''
text 'Gr\u00fc\u00dfe'; '\U0001f680'; ''; REPEAT('lorem ', 60)
blob x'00FF'; 'plain'; ''
varbinary x'0A000001'; x'00'; x'20010DB8000000000000000000000001'
date '2024-02-29'; '1970-01-01'; '9999-12-31'
datetime '2024-02-29 23:59:59.999999'; '1969-12-31 23:00:00'; NOW(); '2026-03-29 02:30:00'
timestamp '2024-02-29 23:59:59.6'; CURRENT_TIMESTAMP; '2037-01-19 03:14:07'
time '08:30:00'; '-01:00:00.5'; '26:00:00'
enum 'new'; 'paid'; 'sent'; 2
set 'a'; 'a,c'; ''
json '{"kind": "click", "n": 1}'; '{"kind": "\u00fcber"}'; '[]'; '{}'
bit b'0'; b'1'
mediumint 0; 8388607; -3; 1
float 0.1; 48.2082; -16.3738; 1e20
binary x'0102'; x'00'; x'FFEEDDCCBBAA00998877665544332211'
year 2024; 1901; 0""".splitlines()
}
#: Tables of five applications: columns (`!` is NOT NULL), keys behind `|`. What 5.6 lacks stands in braces.
APPLICATIONS = """
users: id int! AUTO_INCREMENT, email varchar(80)!, name varchar(40), country char(2) DEFAULT 'DE', \
state enum('new','paid','sent')! DEFAULT 'new', logins smallint unsigned! DEFAULT 0, born date, \
created timestamp NULL DEFAULT CURRENT_TIMESTAMP \
| PRIMARY KEY (id), UNIQUE KEY email (email), KEY state (state)
orders: id int! AUTO_INCREMENT, user_id int!, total decimal(10,2)! DEFAULT '0.00', state \
enum('new','paid','sent') DEFAULT 'new', note text, placed datetime DEFAULT CURRENT_TIMESTAMP, \
changed datetime DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP{, \
gross decimal(12,4) AS (total * 1.19) STORED} | PRIMARY KEY (id), KEY user_id (user_id), \
CONSTRAINT f1 FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
order_items: order_id int!, line smallint!, sku varchar(40)!, amount int unsigned! DEFAULT 1, \
price decimal(10,2) | PRIMARY KEY (order_id, line), KEY sku (sku), \
CONSTRAINT f2 FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE
audit_log: id bigint! AUTO_INCREMENT, what varchar(40), ref int, at timestamp NULL DEFAULT \
CURRENT_TIMESTAMP, detail text | PRIMARY KEY (id)

posts: id int unsigned! AUTO_INCREMENT, slug varchar(80)!, title varchar(191), body text, \
live tinyint! DEFAULT 0, published datetime(3), views int DEFAULT 0 \
| PRIMARY KEY (id), UNIQUE KEY slug (slug), KEY title (title(20))
tags: id int unsigned! AUTO_INCREMENT, name varchar(40)! | PRIMARY KEY (id), UNIQUE KEY name (name)
post_tags: post_id int unsigned!, tag_id int unsigned!, weight tinyint DEFAULT 1 \
| PRIMARY KEY (post_id, tag_id), KEY tag_id (tag_id), CONSTRAINT f3 FOREIGN KEY (post_id) REFERENCES \
posts (id) ON DELETE CASCADE, CONSTRAINT f4 FOREIGN KEY (tag_id) REFERENCES tags (id)

sessions: token varchar(40)!, user_id int, ip varbinary(16), data blob, seen datetime, \
expires timestamp NULL, flags bit(1) DEFAULT b'0' | PRIMARY KEY (token), KEY seen (seen)
settings: scope varchar(40)!, name varchar(80)!, value text, version int unsigned! DEFAULT 0 \
| PRIMARY KEY (scope, name)

events: id bigint! AUTO_INCREMENT, kind varchar(40)!, payload json, happened datetime(3), ratio double, \
opts set('a','b','c'){, n varchar(80) AS (UPPER(kind)) VIRTUAL, size int AS (LENGTH(kind)) STORED, \
code varchar(40) DEFAULT (UUID()), due date DEFAULT (CURDATE() + INTERVAL 30 DAY)} \
| PRIMARY KEY (id), KEY kind (kind, happened)
daily: day date!, kind varchar(40)!, hits bigint unsigned! DEFAULT 0, spent time | PRIMARY KEY (day, kind)
raw_log: at datetime, line varchar(255), level tinyint | KEY at (at)

accounts: id int! AUTO_INCREMENT, owner varchar(40)!, iban varchar(40), balance decimal(12,4)! DEFAULT \
'0.0000', open tinyint! DEFAULT 1{, CONSTRAINT c1 CHECK (open >= 0)} \
| PRIMARY KEY (id), UNIQUE KEY iban (iban)
entries: account_id int!, number int!, amount decimal(10,2)!, text varchar(80), booked date, day \
timestamp NULL DEFAULT NULL | PRIMARY KEY (account_id, number), CONSTRAINT f5 FOREIGN KEY (account_id) \
REFERENCES accounts (id) ON UPDATE CASCADE ON DELETE CASCADE

wp_options: id bigint unsigned! AUTO_INCREMENT, name varchar(191)! DEFAULT '', value longtext, \
autoload varchar(20)! DEFAULT 'yes' | PRIMARY KEY (id), UNIQUE KEY name (name), KEY autoload (autoload)
wp_postmeta: id bigint unsigned! AUTO_INCREMENT, post_id bigint unsigned! DEFAULT '0', kind varchar(255), \
value longtext | PRIMARY KEY (id), KEY post_id (post_id), KEY kind (kind(20))
wp_comments: id bigint unsigned! AUTO_INCREMENT, post_id bigint unsigned! DEFAULT '0', author tinytext, \
at datetime! DEFAULT '1970-01-01 00:00:00', karma int! DEFAULT 0, approved varchar(20)! DEFAULT '1', \
agent varchar(255)! DEFAULT '' | PRIMARY KEY (id), KEY post_id (post_id), KEY approved (approved, at)

jobs: id bigint unsigned! AUTO_INCREMENT, queue varchar(191)!, payload longtext, attempts tinyint unsigned! \
DEFAULT 0, reserved int unsigned DEFAULT NULL, state enum('new','paid','sent') DEFAULT 'new', \
spent float DEFAULT 0 | PRIMARY KEY (id), KEY queue (queue, reserved)
failed_jobs: uuid binary(16)!, queue text, payload mediumtext, failed_at timestamp(6) NULL DEFAULT \
CURRENT_TIMESTAMP(6) | PRIMARY KEY (uuid)
locks: name varchar(40)!, owner varchar(40), expires int! DEFAULT 0 | PRIMARY KEY (name)

categories: id mediumint unsigned! AUTO_INCREMENT, parent_id mediumint unsigned DEFAULT NULL, \
name varchar(80)!, position smallint DEFAULT 0, tree set('a','b','c') DEFAULT 'a' | PRIMARY KEY (id), \
UNIQUE KEY name (parent_id, name), CONSTRAINT f6 FOREIGN KEY (parent_id) REFERENCES categories (id) \
ON DELETE SET NULL
products: id int unsigned! AUTO_INCREMENT, category_id mediumint unsigned DEFAULT NULL, sku varchar(40)!, \
title varchar(120), price decimal(10,2)! DEFAULT '0.00', lat float, lon double, made year, attrs json, \
stock int! DEFAULT 0{, title_key varchar(120) AS (LOWER(title)) STORED, \
CONSTRAINT c2 CHECK (price >= -1000)} \
| PRIMARY KEY (id), UNIQUE KEY sku (sku), KEY category_id (category_id, price), CONSTRAINT f7 FOREIGN KEY \
(category_id) REFERENCES categories (id) ON DELETE SET NULL ON UPDATE CASCADE
stock_moves: product_id int unsigned!, number int!, amount decimal(8,3)!, unit char(3)! DEFAULT 'pcs', \
at timestamp NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP | UNIQUE KEY n (product_id, number)

messages: id bigint! AUTO_INCREMENT, thread_id bigint!, sender_id int!, body mediumtext, sent datetime(6) \
DEFAULT CURRENT_TIMESTAMP(6), seen bit(1)! DEFAULT b'0', meta json | PRIMARY KEY (id, thread_id), \
KEY thread_id (thread_id, sent)
members: thread_id bigint!, user_id int!, role enum('new','paid','sent')! DEFAULT 'new', since date, \
muted tinyint(1) DEFAULT 0 | PRIMARY KEY (user_id, thread_id), KEY thread_id (thread_id)
metrics: host varchar(40)!, at datetime!, cpu float, ram bigint unsigned, load_avg decimal(6,2) \
| KEY host (host, at)
"""


@dataclass
class Column:
    name: str
    type: str
    rest: str = ""

    @property
    def computed(self) -> bool:
        return " AS (" in self.rest

    @property
    def text(self) -> bool:
        return self.type.startswith(("varchar", "char", "text", "mediumtext", "longtext", "enum"))


@dataclass
class Table:
    name: str
    columns: list[Column]
    keys: list[str]
    engine: str = "InnoDB"
    charset: str = "utf8mb4"
    tail: str = ""

    def sql(self) -> str:
        inside = [f"{c.name} {c.type}{c.rest}" for c in self.columns] + self.keys
        return (
            f"CREATE TABLE {self.name} ({', '.join(inside)}) ENGINE={self.engine} "
            f"DEFAULT CHARACTER SET {self.charset}{self.tail}"
        )

    def keyed(self, column: Column) -> bool:
        return any(re.search(rf"\b{column.name}\b", key) for key in self.keys)


def table_of(text: str, old: bool) -> Table:
    """A table as it is written above."""
    text = re.sub(r"\{.*?\}", "", text).replace(" json", " text") if old else re.sub("[{}]", "", text)
    name, body = text.split(": ", 1)
    columns, keys = body.split(" | ")
    commas = re.compile(r", (?![^()]*\))")
    table = Table(name, [], commas.split(keys))
    for one in commas.split(columns):
        if one.startswith("CONSTRAINT"):
            table.keys.append(one)
            continue
        word, kind, rest = re.findall(r"(\w+) (\w+(?:\(.*?\))?(?: unsigned)?)(.*)", one)[0]
        table.columns.append(Column(word, kind, rest.replace("!", " NOT NULL", 1)))
    return table
