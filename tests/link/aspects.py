"""Further link cases, in aspects that `cases.py` does not have: server variables of both ends, sessions,
time zones, modes, channel options, accounts, definitions, objects that one end lacks, GTIDs, sizes.

`for_pair(source, replica)` gives the cases of two of the five recorded servers, in the form of `cases.py`.
"""

# Statements are one literal each, as the servers are asked.
# ruff: noqa: E501

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

from tests.link import cases
from tests.link.cases import DML, GEN, M97, Maker, T, is_my

D5 = "mariadb-10.5"
FORMATS = ("ROW", "STATEMENT", "MIXED")
KEYED = "CREATE TABLE n (a INT PRIMARY KEY)"
STAMP = "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(40), ts TIMESTAMP NULL, dt DATETIME(6))"
COUNTER = "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT)"
MEMORY = "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(200)) ENGINE=MEMORY"
LONG = "CREATE TABLE t (id INT PRIMARY KEY, b LONGBLOB)"

# One variable a line: values, and the workload that would show it (`dml` unless named).
SOURCE_VARIABLES = """
binlog_cache_size=4096 | big
binlog_stmt_cache_size=4096 | big
max_binlog_size=4096 | big
max_binlog_cache_size=4096 | dml
binlog_direct_non_transactional_updates=1 | mixed
binlog_error_action=IGNORE_ERROR
binlog_commit_wait_count=2
binlog_group_commit_sync_delay=1000
binlog_transaction_dependency_history_size=1
binlog_transaction_compression_level_zstd=1
binlog_file_cache_size=8192
log_bin_trust_function_creators=1 | unsafe function
sync_binlog=7
session_track_gtids=ALL_GTIDS
character_set_server=ucs2
character_set_server=utf16
character_set_server=gbk
character_set_server=binary
character_set_server=utf8mb4 | create
character_set_database=latin1 | create
time_zone='+03:00' | zoned
time_zone='-05:30' | zoned
default_week_format=5 | week
lc_time_names='pt_BR' | names
div_precision_increment=9 | division
auto_increment_increment=10 | counter
auto_increment_offset=3 | counter
auto_increment_increment=7,auto_increment_offset=3 | counter
completion_type=1
concurrent_insert=0
default_storage_engine=MyISAM | create
default_storage_engine=MEMORY | create
default_tmp_storage_engine=MyISAM | temporary
event_scheduler=1
foreign_key_checks=0 | foreign
unique_checks=0
innodb_default_row_format=compact | create
innodb_default_row_format=redundant | create
innodb_file_per_table=0 | create
innodb_strict_mode=0 | odd
low_priority_updates=1
max_heap_table_size=16384 | memory
net_buffer_length=1024
old_passwords=1
old_mode='' | create
old_mode='UTF8_IS_UTF8MB3,ZERO_DATE_TIME_CAST' | zoned
old_mode='NO_DUP_KEY_WARNINGS_WITH_IGNORE'
sql_if_exists=1 | drop
sql_safe_updates=1
sql_auto_is_null=1
sql_quote_show_create=0 | drop
transaction_isolation='SERIALIZABLE'
tx_isolation='SERIALIZABLE'
tx_isolation='READ-COMMITTED'
transaction_isolation='READ-COMMITTED'
updatable_views_with_limit=0
transaction_write_set_extraction=OFF
print_identified_with_as_hex=1 | user
local_infile=0
secure_timestamp=YES
check_constraint_checks=0 | check
alter_algorithm=INPLACE | alter
explicit_defaults_for_timestamp=0 | stamp
explicit_defaults_for_timestamp=1 | stamp
default_table_encryption=0 | create
partial_revokes=1 | user
restrict_fk_on_non_standard_key=0 | foreign
xa_detach_on_prepare=0 | xa
enforce_gtid_consistency=WARN | temporary
gtid_pos_auto_engines='InnoDB'
gtid_ignore_duplicates=1
wsrep_on=0
binlog_annotate_row_events=0
binlog_rows_query_log_events=1
replicate_annotate_row_events=1
system_versioning_alter_history=KEEP
query_cache_type=0
max_statement_time=30
storage_engine=MyISAM | create
binlog_format=STATEMENT | temporary
binlog_format=MIXED | temporary
binlog_format=ROW | temporary
binlog_row_image=MINIMAL | wide
binlog_row_image=NOBLOB | wide
binlog_row_metadata=FULL | wide
binlog_row_metadata=MINIMAL | wide
binlog_checksum=NONE | big
binlog_transaction_compression=1 | big
binlog_transaction_compression=1 | temporary
binlog_transaction_compression=1 | create
log_bin_compress=1 | big
log_bin_compress=1,log_bin_compress_min_len=10 | dml
log_bin_compress=1,log_bin_compress_min_len=1024 | big
log_bin_compress=1 | create
binlog_row_value_options='PARTIAL_JSON' | json
binlog_row_value_options='PARTIAL_JSON' | wide
binlog_alter_two_phase=1 | alter
binlog_alter_two_phase=1 | index
binlog_alter_two_phase=1 | create
binlog_gtid_index=0
binlog_legacy_event_pos=1
gtid_domain_id=7
gtid_strict_mode=1
server_id=77
sql_generate_invisible_primary_key=1 | keyless
sql_require_primary_key=1 | create
default_collation_for_utf8mb4='utf8mb4_general_ci' | collate
character_set_collations='utf8mb4=utf8mb4_general_ci' | collate
character_set_collations='' | collate
collation_server='utf8mb4_bin' | create
collation_server='latin1_german2_ci' | create
"""
REPLICA_VARIABLES = """
slave_parallel_mode=aggressive,slave_parallel_threads=3
slave_parallel_mode=optimistic,slave_parallel_threads=3
slave_parallel_mode=minimal,slave_parallel_threads=2
slave_domain_parallel_threads=1
slave_transaction_retries=0
slave_net_timeout=5
slave_checkpoint_group=512
slave_checkpoint_period=1
slave_pending_jobs_size_max=1024 | huge
replica_pending_jobs_size_max=1024 | huge
slave_preserve_commit_order=0
slave_parallel_type=DATABASE
slave_parallel_workers=2
slave_rows_search_algorithms='TABLE_SCAN,INDEX_SCAN'
slave_rows_search_algorithms='HASH_SCAN'
slave_allow_batching=1
slave_type_conversions='ALL_LOSSY'
slave_type_conversions='ALL_NON_LOSSY'
slave_max_statement_time=20
sync_master_info=0
sync_relay_log=0
relay_log_purge=0
max_relay_log_size=4096 | big
master_info_repository=TABLE
relay_log_info_repository=TABLE
gtid_ignore_duplicates=1
gtid_pos_auto_engines='InnoDB'
gtid_cleanup_batch_size=1
init_slave='SET @x=1'
init_slave='SET SESSION sql_mode=ANSI' | create
init_replica='SET @x=1'
time_zone='+03:00' | zoned
time_zone='-05:30' | zoned
character_set_server=latin1 | create
character_set_server=ucs2 | create
collation_server='utf8mb4_bin' | create
character_set_database=latin1 | create
lc_time_names='pt_BR' | names
default_week_format=5 | week
group_concat_max_len=4 | concat
div_precision_increment=9 | division
foreign_key_checks=0 | foreign
unique_checks=0
max_allowed_packet=1048576 | huge
slave_max_allowed_packet=2097152 | huge
replica_max_allowed_packet=1024 | huge
offline_mode=1
super_read_only=1 | create
read_only=1 | user
event_scheduler=1 | event
transaction_isolation='SERIALIZABLE'
transaction_isolation='READ-COMMITTED'
tx_isolation='READ-COMMITTED'
sql_safe_updates=1 | unkeyed
sql_big_selects=0,max_join_size=1 | select
sql_auto_is_null=1
sql_notes=0
wait_timeout=1
interactive_timeout=1
lock_wait_timeout=1
max_heap_table_size=16384 | memory
tmp_table_size=1024 | select
big_tables=1 | select
default_storage_engine=MyISAM | create
default_storage_engine=MEMORY | create
default_tmp_storage_engine=MyISAM | temporary
enforce_storage_engine=InnoDB | myisam
enforce_storage_engine=Aria | create
check_constraint_checks=0 | check
secure_timestamp=YES | zoned
secure_timestamp=REPLICATION | zoned
old_mode='NO_DUP_KEY_WARNINGS_WITH_IGNORE'
old_mode='' | create
log_bin_trust_function_creators=0 | unsafe function
log_bin_trust_function_creators=1 | unsafe function
local_infile=0 | load
require_secure_transport=1
partial_revokes=1 | user
innodb_file_per_table=0 | create
innodb_default_row_format=compact | long key
innodb_default_row_format=redundant | long key
innodb_strict_mode=0 | odd
innodb_strict_mode=1 | odd
innodb_lock_wait_timeout=1
auto_increment_increment=10 | counter
auto_increment_offset=3,auto_increment_increment=5 | counter
completion_type=1
concurrent_insert=0
low_priority_updates=1
updatable_views_with_limit=0
alter_algorithm=INSTANT | alter
alter_algorithm=INPLACE | alter
sql_if_exists=1 | drop
explicit_defaults_for_timestamp=0 | stamp
explicit_defaults_for_timestamp=1 | stamp
sql_mode='ANSI_QUOTES' | quotes
sql_mode='PAD_CHAR_TO_FULL_LENGTH'
sql_mode='NO_AUTO_VALUE_ON_ZERO' | counter
sql_mode='STRICT_ALL_TABLES,NO_ZERO_DATE' | zero
sql_mode='' | zero
sql_generate_invisible_primary_key=1 | keyless
sql_require_primary_key=1 | keyless
sql_require_primary_key=1 | create
innodb_force_primary_key=1 | keyless
innodb_force_primary_key=1 | create
system_versioning_alter_history=KEEP | alter
slave_run_triggers_for_rbr=YES
slave_run_triggers_for_rbr=ENFORCE
slave_ddl_exec_mode=STRICT | create
slave_exec_mode=IDEMPOTENT
replica_exec_mode=STRICT
binlog_row_image=MINIMAL
binlog_row_image=NOBLOB | wide
binlog_format=STATEMENT | create
binlog_format=MIXED
binlog_checksum=NONE | big
binlog_transaction_compression=1
binlog_row_value_options='PARTIAL_JSON' | json
binlog_rows_query_log_events=1
binlog_annotate_row_events=1
binlog_alter_two_phase=1 | alter
log_bin_compress=1 | big
master_verify_checksum=1
slave_sql_verify_checksum=0
replica_sql_verify_checksum=0
slave_compressed_protocol=1
replica_compressed_protocol=1
default_collation_for_utf8mb4='utf8mb4_general_ci' | collate
character_set_collations='utf8mb4=utf8mb4_general_ci' | collate
character_set_collations='' | collate
default_table_encryption=0 | create
gtid_domain_id=9
gtid_strict_mode=1 | create
restrict_fk_on_non_standard_key=1 | foreign
max_sort_length=64 | select
eq_range_index_dive_limit=0
query_cache_type=0
long_query_time=0
net_read_timeout=1
"""
#: Workloads: tables (None: the usual one), then statements.
WORKLOADS: dict[str, tuple[list[str] | None, list[str]]] = {
    "dml": (None, DML),
    "big": (
        None,
        [f"INSERT INTO t VALUES ({i},'{i}','{'y' * 1500}')" for i in range(1, 5)]
        + ["DELETE FROM t WHERE id>2"],
    ),
    "huge": (
        [LONG],
        ["INSERT INTO t VALUES (1, REPEAT('x', 1200000))", f"INSERT INTO t VALUES (2, '{'z' * 900000}')"],
    ),
    "mixed": (
        [T[0], T[0].replace("TABLE t", "TABLE m").replace("InnoDB", "MyISAM")],
        ["BEGIN", "INSERT INTO t VALUES (1,'a','b')", "INSERT INTO m VALUES (1,'a','b')", "ROLLBACK"],
    ),
    "unsafe function": (
        None,
        ["CREATE FUNCTION f(a INT) RETURNS INT RETURN a+1", "INSERT INTO t VALUES (1,'a','b')"],
    ),
    "create": (
        None,
        [
            "CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(20), e CHAR(3) NOT NULL DEFAULT 'x')",
            "INSERT INTO n (a,v) VALUES (1,'é')",
            "UPDATE n SET e='ü'",
        ],
    ),
    "zoned": (
        [STAMP],
        [
            "INSERT INTO t VALUES (1, NOW(), NOW(), NOW())",
            "INSERT INTO t VALUES (2, 'x', '2020-06-01 12:00:00', '2020-06-01 12:00:00')",
            "UPDATE t SET v=UNIX_TIMESTAMP(ts) WHERE id=2",
        ],
    ),
    "week": (
        None,
        [
            "INSERT INTO t VALUES (1, WEEK('2008-02-20'), 'x')",
            "INSERT INTO t VALUES (2, WEEK('2008-12-30'), 'x')",
        ],
    ),
    "names": (
        None,
        [
            "INSERT INTO t VALUES (1, MONTHNAME('2020-02-01'), 'x')",
            "INSERT INTO t VALUES (2, DATE_FORMAT('2020-02-01','%W'), 'x')",
        ],
    ),
    "division": (None, ["INSERT INTO t VALUES (1, 1/7, 'x')"]),
    "concat": (
        None,
        [
            "INSERT INTO t SELECT 1, GROUP_CONCAT(x ORDER BY x), 'x' FROM (SELECT 'aaaa' x UNION SELECT 'bbbb') q"
        ],
    ),
    "counter": (
        [COUNTER],
        [
            "INSERT INTO t (v) VALUES (1),(2)",
            "INSERT INTO t (v) VALUES (3)",
            "INSERT INTO t VALUES (0,4)",
            "INSERT INTO t VALUES (NULL,5)",
        ],
    ),
    "temporary": (
        None,
        [
            "CREATE TEMPORARY TABLE z (a INT)",
            "INSERT INTO z VALUES (1)",
            "INSERT INTO t SELECT a,'t','t' FROM z",
            "DROP TEMPORARY TABLE z",
        ],
    ),
    "foreign": (
        None,
        [
            "CREATE TABLE p (a INT, b INT, KEY (b)) ENGINE=InnoDB",
            "CREATE TABLE n (a INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES p (b)) ENGINE=InnoDB",
            "INSERT INTO p VALUES (1,1)",
            "INSERT INTO n VALUES (1,1)",
        ],
    ),
    "odd": (
        None,
        [
            "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=InnoDB ROW_FORMAT=FIXED",
            "INSERT INTO t VALUES (1,'a','b')",
        ],
    ),
    "memory": (
        [MEMORY],
        [
            f"INSERT INTO t SELECT {i}+a*10+b, REPEAT('x',190) FROM (SELECT 0 a UNION SELECT 1 UNION SELECT 2) p, (SELECT 0 b UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4) q"
            for i in (0, 100, 200, 300, 400, 500)
        ],
    ),
    "drop": (
        None,
        ["CREATE TABLE n (a INT PRIMARY KEY)", "DROP TABLE n", "INSERT INTO t VALUES (1,'a','b')"],
    ),
    "select": (
        None,
        [
            "INSERT INTO t VALUES (1,'a','x'),(2,'b','y')",
            "INSERT INTO t SELECT id+10, v, b FROM t",
            "UPDATE t x JOIN t y ON x.id=y.id SET x.v='j'",
        ],
    ),
    "user": (
        None,
        [
            "CREATE USER u7@localhost",
            "GRANT SELECT ON d.* TO u7@localhost",
            "DROP USER u7@localhost",
            "INSERT INTO t VALUES (1,'a','b')",
        ],
    ),
    "check": (
        None,
        [
            "CREATE TABLE n (a INT PRIMARY KEY, b INT, CHECK (b > 0))",
            "INSERT INTO n VALUES (1,5)",
            "INSERT INTO n VALUES (2,6)",
        ],
    ),
    "alter": (
        None,
        [
            "INSERT INTO t VALUES (1,'a','b')",
            "ALTER TABLE t ADD w INT DEFAULT 5",
            "ALTER TABLE t MODIFY v VARCHAR(40)",
            "INSERT INTO t VALUES (2,'a','b',6)",
        ],
    ),
    "index": (None, ["INSERT INTO t VALUES (1,'a','b')", "ALTER TABLE t ADD INDEX k (v)"]),
    "stamp": (
        None,
        [
            "CREATE TABLE n (id INT PRIMARY KEY, a TIMESTAMP, b INT)",
            "INSERT INTO n (id, b) VALUES (1, 2)",
            "UPDATE n SET b=3",
        ],
    ),
    "xa": (
        None,
        ["XA START 'q'", "INSERT INTO t VALUES (1,'a','b')", "XA END 'q'", "XA PREPARE 'q'", "XA COMMIT 'q'"],
    ),
    "keyless": (
        None,
        [
            "CREATE TABLE n (a INT)",
            "INSERT INTO n VALUES (1),(2)",
            "UPDATE n SET a=3 WHERE a=1",
            "DELETE FROM n WHERE a=2",
        ],
    ),
    "unkeyed": (["CREATE TABLE t (id INT, v VARCHAR(20), b BLOB)"], DML),
    "event": (
        None,
        ["CREATE EVENT e ON SCHEDULE AT '2035-01-01' DO DELETE FROM t", "INSERT INTO t VALUES (1,'a','b')"],
    ),
    "myisam": (None, ["CREATE TABLE n (a INT PRIMARY KEY) ENGINE=MyISAM", "INSERT INTO n VALUES (1)"]),
    "load": (None, ["LOAD DATA LOCAL INFILE 'links-load.txt' IGNORE INTO TABLE t (id, v, b)"]),
    "long key": (
        None,
        [
            "CREATE TABLE n (a VARCHAR(250) PRIMARY KEY) ENGINE=InnoDB CHARSET utf8mb4",
            "INSERT INTO n VALUES ('a')",
        ],
    ),
    "quotes": (
        None,
        [
            'INSERT INTO t VALUES (1,"a","b")',
            'CREATE TABLE n (a INT PRIMARY KEY, b VARCHAR(9) DEFAULT "x")',
            "INSERT INTO n (a) VALUES (1)",
        ],
    ),
    "zero": (
        None,
        [
            "CREATE TABLE n (a INT PRIMARY KEY, d DATE NOT NULL DEFAULT '2001-01-01')",
            "INSERT INTO n VALUES (1,'2020-01-01')",
            "ALTER TABLE n ADD c DATE NOT NULL",
        ],
    ),
    "wide": (
        [
            "CREATE TABLE t (id INT PRIMARY KEY, e ENUM('a','b'), x VARBINARY(300), d DECIMAL(20,5), y YEAR, f DOUBLE, l TEXT)"
        ],
        [
            "INSERT INTO t VALUES (1,'b','\\0x',-1.5,2020,1e10,'é')",
            "UPDATE t SET d=d*2, l=NULL",
            "INSERT INTO t (id) VALUES (2)",
            "DELETE FROM t WHERE id=2",
        ],
    ),
    "json": (
        cases.JT,
        [
            'INSERT INTO t VALUES (1, \'{"a": "aaaaaaaaaaaaaaaaaaaa"}\')',
            "UPDATE t SET j = JSON_SET(j, '$.a', 'b')",
            "UPDATE t SET j = NULL",
        ],
    ),
    "collate": (
        None,
        [
            "CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(20) CHARACTER SET utf8mb4)",
            "INSERT INTO n VALUES (1,'é')",
            "CREATE DATABASE d5 CHARACTER SET utf8mb4",
            "UPDATE n SET v='E' WHERE v='É'",
        ],
    ),
}
START_OPTIONS = (
    ("R", "--relay-log-recovery", "", "dml"), ("R", "--innodb-read-only", "1", "dml"), ("R", "--disabled-storage-engines", "MyISAM", "myisam"),
    ("R", "--slave-load-tmpdir", "/nosuch", "load"), ("R", "--replicate-annotate-row-events", "0", "dml"), ("R", "--skip-innodb-strict-mode", "", "odd"),
    ("R", "--innodb-large-prefix", "1", "long key"), ("R", "--character-set-client-handshake", "0", "create"), ("R", "--master-retry-count", "1", "dml"),
    ("R", "--slave-skip-errors", "1050", "exists"), ("R", "--slave-skip-errors", "ddl_exist_errors", "exists"), ("R", "--slave-skip-errors", "1396,1007", "exists"),
    ("R", "--slave-skip-errors", "1054,1060,1091", "columns"), ("R", "--slave-skip-errors", "1032", "lost row"), ("R", "--slave-skip-errors", "1062", "double row"),
    ("R", "--log-slave-updates", "", "create"), ("R", "--skip-log-bin", "", "create"), ("R", "--binlog-format", "STATEMENT", "dml"),
    ("S", "--binlog-ignore-db", "other", "dml"), ("S", "--innodb-autoinc-lock-mode", "0", "counter"), ("S", "--character-set-client-handshake", "0", "create"),
    ("S", "--log-slave-updates", "", "create"), ("S", "--binlog-row-event-max-size", "256", "big"), ("S", "--default-time-zone", "+05:45", "zoned"),
    ("S", "--old-mode", "", "create"), ("S", "--max-binlog-dump-events", "2", "dml"), ("S", "--sporadic-binlog-dump-fail", "0", "dml"),
    ("S", "--explicit-defaults-for-timestamp", "1", "stamp"), ("S", "--explicit-defaults-for-timestamp", "0", "stamp"),
)  # fmt: skip
OBJECTS = {
    "exists": (
        ["CREATE TABLE d.n (a INT PRIMARY KEY)", "CREATE DATABASE d6"],
        ["CREATE TABLE n (a INT PRIMARY KEY)", "CREATE DATABASE d6", "INSERT INTO t VALUES (1,'a','b')"],
    ),
    "columns": (
        ["ALTER TABLE d.t ADD w INT"],
        ["ALTER TABLE t ADD w INT", "INSERT INTO t VALUES (1,'a','b',1)"],
    ),
    "lost row": ([], ["UPDATE t SET v='n' WHERE id=9", "INSERT INTO t VALUES (10,'a','b')"]),
    "double row": (
        ["INSERT INTO d.t VALUES (9,'r','r')"],
        ["INSERT INTO t VALUES (9,'a','b')", "INSERT INTO t VALUES (10,'a','b')"],
    ),
}
UNLOGGED = ["SET SESSION sql_log_bin=0", "INSERT INTO t VALUES (9,'old','z')", "SET SESSION sql_log_bin=1"]
#: (what the replica alone has run, statements of the source)
DIFFER = (
    (["CREATE USER u7@localhost"], ["CREATE USER u7@localhost"]),
    (["CREATE USER u7@localhost"], ["CREATE USER IF NOT EXISTS u7@localhost"]),
    (["CREATE PROCEDURE d.p() SELECT 1"], ["CREATE PROCEDURE p() SELECT 1"]),
    (["CREATE FUNCTION d.f() RETURNS INT DETERMINISTIC RETURN 1"], ["CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN 1"]),
    (["CREATE VIEW d.n AS SELECT 1 a"], ["CREATE VIEW n AS SELECT 1 a"]),
    (["CREATE VIEW d.n AS SELECT 1 a"], ["CREATE OR REPLACE VIEW n AS SELECT 2 a"]),
    (["CREATE VIEW d.n AS SELECT 1 a"], ["CREATE TABLE n (a INT PRIMARY KEY)", "INSERT INTO n VALUES (1)"]),
    (["CREATE TABLE d.n (a INT)"], ["CREATE VIEW n AS SELECT 1 a"]),
    (["CREATE TABLE d.n (a INT)"], ["CREATE TABLE n (a INT PRIMARY KEY, b INT)", "INSERT INTO n VALUES (1,2)"]),
    (["CREATE TABLE d.n (a INT PRIMARY KEY)"], ["CREATE TABLE IF NOT EXISTS n (a INT PRIMARY KEY)", "INSERT INTO n VALUES (1)"]),
    (["CREATE DATABASE d6"], ["CREATE DATABASE d6"]),
    (["CREATE DATABASE d6"], ["CREATE DATABASE IF NOT EXISTS d6", "CREATE TABLE d6.x (a INT PRIMARY KEY)"]),
    (["CREATE EVENT d.e ON SCHEDULE AT '2035-01-01' DO SELECT 1"], ["CREATE EVENT e ON SCHEDULE AT '2035-01-01' DO DELETE FROM t"]),
    (["CREATE TRIGGER d.tr BEFORE DELETE ON d.t FOR EACH ROW SET @x=1"], ["CREATE TRIGGER tr BEFORE DELETE ON t FOR EACH ROW SET @x=1"]),
    (["ALTER TABLE d.t ADD INDEX k (v)"], ["CREATE INDEX k ON t (v)"]),
    (["ALTER TABLE d.t ADD INDEX k (v)"], ["ALTER TABLE t ADD INDEX k (v)", "INSERT INTO t VALUES (1,'a','b')"]),
    (["ALTER TABLE d.t ADD w INT"], ["ALTER TABLE t ADD w INT", "INSERT INTO t VALUES (1,'a','b',1)"]),
    (["ALTER TABLE d.t DROP COLUMN b"], ["ALTER TABLE t DROP COLUMN b", "INSERT INTO t VALUES (1,'a')"]),
    (["ALTER TABLE d.t DROP COLUMN b"], ["ALTER TABLE t MODIFY b LONGBLOB"]),
    (["ALTER TABLE d.t DROP COLUMN b"], ["ALTER TABLE t CHANGE b c BLOB"]),
    (["ALTER TABLE d.t DROP PRIMARY KEY"], ["ALTER TABLE t DROP PRIMARY KEY"]),
    (["DROP TABLE d.t"], ["ALTER TABLE t ADD w INT"]),
    (["DROP TABLE d.t"], ["RENAME TABLE t TO t2"]),
    (["DROP TABLE d.t"], ["TRUNCATE TABLE t"]),
    (["DROP TABLE d.t"], ["DROP TABLE t", "CREATE TABLE n (a INT PRIMARY KEY)"]),
    (["DROP TABLE d.t"], ["DROP TABLE IF EXISTS t", "CREATE TABLE n (a INT PRIMARY KEY)"]),
    (["DROP TABLE d.t"], ["CREATE INDEX k ON t (v)"]),
    (["DROP TABLE d.t"], ["CREATE VIEW n AS SELECT * FROM t"]),
    (["DROP TABLE d.t"], ["CREATE TRIGGER tr BEFORE DELETE ON t FOR EACH ROW SET @x=1"]),
    (["DROP TABLE d.t"], ["CREATE TABLE n LIKE t"]),
    (["DROP TABLE d.t"], ["ANALYZE TABLE t", "CREATE TABLE n (a INT PRIMARY KEY)"]),
    (["DROP DATABASE d"], ["CREATE TABLE n (a INT PRIMARY KEY)"]),
    (["DROP DATABASE d"], ["CREATE DATABASE d7", "CREATE TABLE d7.x (a INT PRIMARY KEY)"]),
    (["CREATE TABLE d.t2 (a INT)"], ["RENAME TABLE t TO t2"]),
    (["INSERT INTO d.t VALUES (5,'r','r')"], ["INSERT IGNORE INTO t VALUES (5,'a','b')"]),
    (["INSERT INTO d.t VALUES (5,'r','r')"], ["REPLACE INTO t VALUES (5,'a','b')"]),
    (["INSERT INTO d.t VALUES (5,'r','r')"], ["INSERT INTO t VALUES (5,'a','b') ON DUPLICATE KEY UPDATE v='u'"]),
    (["INSERT INTO d.t VALUES (5,'r','r')"], ["INSERT INTO t VALUES (6,'a','b')", "UPDATE t SET v='w'"]),
    (["INSERT INTO d.t VALUES (5,'r','r')"], ["INSERT INTO t VALUES (6,'a','b')", "DELETE FROM t"]),
    (["ALTER DATABASE d CHARACTER SET latin1"], ["CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(20))", "INSERT INTO n VALUES (1,'é')"]),
    (["ALTER TABLE d.t ENGINE=MyISAM"], ["BEGIN", "INSERT INTO t VALUES (1,'a','b')", "COMMIT"]),
    (["ALTER TABLE d.t ENGINE=BLACKHOLE"], DML),
    (["CREATE TRIGGER d.tr AFTER INSERT ON d.t FOR EACH ROW INSERT INTO d.nosuch VALUES (1)"], ["INSERT INTO t VALUES (1,'a','b')"]),
    ([], ["DROP USER nosuch@localhost", "CREATE TABLE n (a INT PRIMARY KEY)"]),
)  # fmt: skip
#: Logged under one session only: what the source alone has run without logging it.
ONLY_HERE = (
    (["CREATE TABLE n (a INT PRIMARY KEY)"], ["INSERT INTO n VALUES (1)"]),
    (["CREATE TABLE n (a INT PRIMARY KEY)"], ["DROP TABLE n", "INSERT INTO t VALUES (1,'a','b')"]),
    (["CREATE TABLE n (a INT PRIMARY KEY)"], ["ALTER TABLE n ADD b INT"]),
    (["CREATE USER u7@localhost"], ["DROP USER u7@localhost", "INSERT INTO t VALUES (1,'a','b')"]),
    (["CREATE USER u7@localhost"], ["GRANT SELECT ON d.* TO u7@localhost"]),
    (["CREATE USER u7@localhost"], ["RENAME USER u7@localhost TO u8@localhost"]),
    (["CREATE PROCEDURE p() SELECT 1"], ["DROP PROCEDURE p", "INSERT INTO t VALUES (1,'a','b')"]),
    (["CREATE PROCEDURE p() SELECT 1"], ["DROP PROCEDURE IF EXISTS p", "INSERT INTO t VALUES (1,'a','b')"]),
    (["CREATE VIEW n AS SELECT 1 a"], ["DROP VIEW n", "INSERT INTO t VALUES (1,'a','b')"]),
    (["CREATE VIEW n AS SELECT 1 a"], ["ALTER VIEW n AS SELECT 2 a"]),
    (["CREATE DATABASE d6"], ["DROP DATABASE d6", "INSERT INTO t VALUES (1,'a','b')"]),
    (["CREATE DATABASE d6"], ["CREATE TABLE d6.n (a INT PRIMARY KEY)"]),
    (["CREATE DATABASE d6"], ["ALTER DATABASE d6 CHARACTER SET latin1"]),
    (["CREATE TRIGGER tr BEFORE DELETE ON t FOR EACH ROW SET @x=1"], ["DROP TRIGGER tr", "INSERT INTO t VALUES (1,'a','b')"]),
    (["CREATE EVENT e ON SCHEDULE AT '2035-01-01' DO SELECT 1"], ["DROP EVENT e", "INSERT INTO t VALUES (1,'a','b')"]),
    (["CREATE EVENT e ON SCHEDULE AT '2035-01-01' DO SELECT 1"], ["ALTER EVENT e DISABLE"]),
    (["ALTER TABLE t ADD INDEX k (v)"], ["DROP INDEX k ON t", "INSERT INTO t VALUES (1,'a','b')"]),
    (["ALTER TABLE t ADD INDEX k (v)"], ["ALTER TABLE t DROP INDEX k"]),
    (["INSERT INTO t VALUES (9,'old','z')"], ["UPDATE t SET v='n' WHERE id=9", "INSERT INTO t VALUES (1,'a','b')"]),
    (["INSERT INTO t VALUES (9,'old','z')"], ["REPLACE INTO t VALUES (9,'n','n')"]),
    (["INSERT INTO t VALUES (9,'old','z')"], ["TRUNCATE TABLE t", "INSERT INTO t VALUES (1,'a','b')"]),
    (["INSERT INTO t VALUES (9,'old','z')"], ["INSERT INTO t SELECT id+1, v, b FROM t"]),
    (["CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN 5"], ["INSERT INTO t VALUES (f(),'a','b')"]),
)  # fmt: skip
SESSIONS = (
    (["SET timestamp=1234567890.5"], "zoned"), (["SET insert_id=40"], "counter"), (["SET last_insert_id=7"], "dml"),
    (["SET rand_seed1=5, rand_seed2=6"], "dml"), (["SET autocommit=0"], "dml"), (["SET SESSION binlog_row_image=MINIMAL"], "wide"),
    (["SET SESSION binlog_row_image=NOBLOB"], "wide"), (["SET SESSION binlog_rows_query_log_events=1"], "wide"),
    (["SET SESSION binlog_row_value_options='PARTIAL_JSON'"], "json"), (["SET SESSION binlog_transaction_compression=1"], "create"),
    (["SET SESSION skip_replication=1"], "dml"), (["SET SESSION skip_parallel_replication=1"], "dml"), (["SET SESSION gtid_domain_id=3"], "dml"),
    (["SET SESSION server_id=9"], "dml"), (["SET SESSION gtid_next='AUTOMATIC'"], "dml"), (["SET SESSION gtid_next='ANONYMOUS'"], "event"),
    (["SET SESSION collation_database=latin1_swedish_ci"], "create"), (["SET SESSION character_set_database=utf8"], "load"),
    (["SET SESSION character_set_database=latin1"], "create"), (["SET CHARACTER SET latin1"], "create"), (["SET CHARACTER SET utf8"], "dml"),
    (["SET character_set_client=latin1"], "create"), (["SET character_set_connection=ucs2"], "create"), (["SET character_set_results=NULL"], "dml"),
    (["SET collation_connection=utf8mb4_bin"], "collate"), (["SET collation_server=latin1_bin"], "create"), (["SET SESSION sql_if_exists=1"], "drop"),
    (["SET SESSION foreign_key_checks=0"], "foreign"), (["SET SESSION check_constraint_checks=0"], "check"), (["SET SESSION unique_checks=0"], "dml"),
    (["SET SESSION tx_isolation='READ-COMMITTED'"], "dml"), (["SET SESSION transaction_isolation='READ-UNCOMMITTED'"], "dml"),
    (["SET SESSION system_versioning_insert_history=1"], "dml"), (["SET SESSION old_mode='UTF8_IS_UTF8MB3'"], "create"), (["SET SESSION old_mode=''"], "create"),
    (["SET SESSION alter_algorithm=COPY"], "alter"), (["SET SESSION default_storage_engine=MEMORY"], "create"), (["SET SESSION sql_log_bin=0", "SET SESSION sql_log_bin=1"], "dml"),
    (["SET SESSION innodb_default_row_format=compact"], "create"), (["SET SESSION explicit_defaults_for_timestamp=1"], "stamp"),
    (["SET SESSION explicit_defaults_for_timestamp=0"], "stamp"), (["SET SESSION auto_increment_increment=5"], "counter"),
    (["SET SESSION lc_time_names='ja_JP'"], "names"), (["SET SESSION lc_time_names='de_CH'"], "names"), (["SET SESSION div_precision_increment=0"], "division"),
    (["SET SESSION pseudo_replica_mode=1"], "dml"), (["SET SESSION pseudo_slave_mode=1"], "dml"), (["SET SESSION sql_require_primary_key=1"], "create"),
    (["SET SESSION sql_generate_invisible_primary_key=1"], "keyless"), (["SET SESSION restrict_fk_on_non_standard_key=0"], "foreign"),
    (["SET SESSION binlog_direct_non_transactional_updates=1"], "mixed"), (["SET SESSION completion_type=CHAIN"], "dml"), (["SET SESSION max_heap_table_size=16384"], "memory"),
    (["SET SESSION print_identified_with_as_hex=1"], "user"), (["SET SESSION show_create_table_skip_secondary_engine=1"], "create"), (["SET SESSION original_server_version=50700"], "dml"),
    (["SET SESSION immediate_server_version=80019"], "create"), (["SET SESSION binlog_alter_two_phase=1"], "alter"), (["SET SESSION group_concat_max_len=6"], "concat"),
    (["SET SESSION max_sort_length=64"], "select"), (["SET @a=5, @b='x'"], "dml"),
    (["SET NAMES utf8mb4"], "collate"), (["SET NAMES latin1 COLLATE latin1_german1_ci"], "collate"), (["SET NAMES sjis"], "dml"), (["SET NAMES big5"], "create"),
    (["SET NAMES cp850"], "create"), (["SET NAMES hebrew"], "dml"), (["SET NAMES geostd8"], "create"), (["SET NAMES eucjpms"], "dml"), (["SET NAMES macroman"], "collate"),
    (["SET NAMES utf8mb4 COLLATE utf8mb4_turkish_ci"], "create"), (["SET NAMES utf8mb4 COLLATE utf8mb4_persian_ci"], "dml"),
    (["SET NAMES utf8mb4 COLLATE utf8mb4_da_0900_ai_ci"], "create"), (["SET NAMES utf8mb4 COLLATE utf8mb4_bg_0900_as_cs"], "dml"),
    (["SET NAMES utf8mb4 COLLATE utf8mb4_uca1400_danish_ai_ci"], "create"), (["SET NAMES utf8mb4 COLLATE utf8mb4_general_nopad_ci"], "dml"),
    (["SET NAMES utf8 COLLATE utf8_unicode_520_ci"], "dml"), (["SET NAMES latin1 COLLATE latin1_nopad_bin"], "create"), (["SET NAMES ucs2"], "dml"),
)  # fmt: skip
ZONES = (
    "SYSTEM",
    "+00:00",
    "+05:30",
    "-11:00",
    "+12:45",
    "+13:00",
    "+13:45",
    "+14:00",
    "-12:00",
    "-13:00",
    "-13:59",
    "UTC",
    "Europe/Berlin",
)
ZONED = (
    "INSERT INTO t VALUES (1, NOW(), NULL, NULL)", "INSERT INTO t VALUES (1, 'x', '2020-06-01 12:00:00', '2020-06-01 12:00:00')",
    "INSERT INTO t VALUES (1, UNIX_TIMESTAMP('2020-06-01 12:00:00'), NULL, NULL)", "INSERT INTO t VALUES (1, CONVERT_TZ('2020-06-01 12:00:00','+00:00','+05:00'), NULL, NULL)",
    "INSERT INTO t (id, ts) VALUES (1, FROM_UNIXTIME(1600000000))", "INSERT INTO t VALUES (1, CURDATE(), NULL, UTC_TIMESTAMP())", "INSERT INTO t VALUES (1, 'a', NULL, SYSDATE())",
    "CREATE TABLE n (a INT PRIMARY KEY, ts TIMESTAMP NOT NULL DEFAULT '2020-06-01 12:00:00')", "CREATE TABLE n (a INT PRIMARY KEY, d DATETIME DEFAULT NOW())",
)  # fmt: skip
MODES = (
    "ANSI_QUOTES", "PIPES_AS_CONCAT", "HIGH_NOT_PRECEDENCE", "IGNORE_SPACE", "PAD_CHAR_TO_FULL_LENGTH", "NO_DIR_IN_CREATE", "NO_UNSIGNED_SUBTRACTION",
    "ALLOW_INVALID_DATES", "TRADITIONAL", "NO_BACKSLASH_ESCAPES", "ERROR_FOR_DIVISION_BY_ZERO", "NO_ZERO_IN_DATE", "STRICT_ALL_TABLES", "NO_AUTO_CREATE_USER",
    "NO_FIELD_OPTIONS", "MYSQL40", "ANSI,TRADITIONAL", "REAL_AS_FLOAT,NO_ENGINE_SUBSTITUTION", "TIME_TRUNCATE_FRACTIONAL", "TIME_ROUND_FRACTIONAL,NO_ZERO_DATE",
)  # fmt: skip
MODAL = (
    ["INSERT INTO t VALUES (1, 'a' || 'b', 'x')", "INSERT INTO t VALUES (2, NOT 1 BETWEEN -5 AND 5, 'x')"],
    ["INSERT INTO t VALUES (1, 'a\\\\b', 'x')", "INSERT INTO t VALUES (2, CAST(1 AS UNSIGNED) - 0, 'x')"],
    ["CREATE TABLE n (a INT PRIMARY KEY, r REAL, d DATE)", "INSERT INTO n VALUES (1, 1.1, '2020-02-20')"],
    ["CREATE TABLE n (a CHAR(5) PRIMARY KEY, b TIME(0))", "INSERT INTO n VALUES ('x', '10:11:12.9')", "UPDATE n SET b='01:01:01.5' WHERE a='x'"],
    ["INSERT INTO t SELECT 1, COUNT(*), 'x' FROM t", "CREATE VIEW n AS SELECT id, v FROM t", "INSERT INTO t VALUES (3, CONCAT('a','b'), 1/4)"],
    ["CREATE PROCEDURE p() INSERT INTO t VALUES (4,'p','q')", "CALL p()", "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.v='k'", "INSERT INTO t VALUES (5,'a','b')"],
)  # fmt: skip
CHANNELS: tuple[dict[str, Any], ...] = (
    {"_CONNECT_RETRY": 1}, {"_RETRY_COUNT": 2}, {"_HEARTBEAT_PERIOD": 0}, {"_HEARTBEAT_PERIOD": "0.5"}, {"_DELAY": 0}, {"_BIND": "127.0.0.1"}, {"_BIND": ""},
    {"_SSL": 1, "_SSL_CA": "/nosuch/ca.pem"}, {"_SSL": 1, "_SSL_CERT": "/nosuch/c.pem"}, {"_SSL": 1, "_SSL_CIPHER": "NOSUCH"}, {"_SSL": 1, "_SSL_CAPATH": "/nosuch"},
    {"_SSL": 0, "_SSL_CA": "/nosuch/ca.pem"}, {"_SSL": 1, "_SSL_CRL": "/nosuch/crl.pem"}, {"_SSL": 1, "_SSL_VERIFY_SERVER_CERT": 1}, {"_SSL": 0, "_SSL_VERIFY_SERVER_CERT": 1},
    {"_SSL": 0, "_SSL_VERIFY_SERVER_CERT": 0}, {"_SSL": 1, "_SSL_VERIFY_SERVER_CERT": 0}, {"_SSL": 0}, {"_SSL": 1},
    {"_TLS_VERSION": "TLSv1.2"}, {"_TLS_VERSION": "TLSv1"}, {"_SSL": 1, "_TLS_VERSION": "TLSv1.2"}, {"_SSL": 1, "_TLS_VERSION": "TLSv1.3"},
    {"_TLS_CIPHERSUITES": "TLS_AES_256_GCM_SHA384"}, {"_PUBLIC_KEY_PATH": ""}, {"_COMPRESSION_ALGORITHMS": "zlib"}, {"_COMPRESSION_ALGORITHMS": "zstd"},
    {"_COMPRESSION_ALGORITHMS": "zlib,zstd,uncompressed"}, {"_COMPRESSION_ALGORITHMS": "uncompressed"}, {"_COMPRESSION_ALGORITHMS": "lz4"}, {"_ZSTD_COMPRESSION_LEVEL": 7},
    {"_ZSTD_COMPRESSION_LEVEL": 23}, {"_USER": "nosuch"}, {"_PASSWORD": "wrong"}, {"_PASSWORD": ""}, {"_HOST": "127.0.0.2"}, {"_AUTO_POSITION": 0},
    {"_DEMOTE_TO_SLAVE": 0}, {"IGNORE_SERVER_IDS": "(1,2)"}, {"IGNORE_SERVER_IDS": "()"}, {"DO_DOMAIN_IDS": "(0)"}, {"IGNORE_DOMAIN_IDS": "(5)"}, {"IGNORE_DOMAIN_IDS": "()"},
    {"_USE_GTID": "no"}, {"_USE_GTID": "slave_pos"}, {"_USE_GTID": "current_pos"}, {"_USE_GTID": "slave_pos", "IGNORE_DOMAIN_IDS": "(0)"}, {"_USE_GTID": "slave_pos", "DO_DOMAIN_IDS": "(5)"},
    {"GET_SOURCE_PUBLIC_KEY": 1}, {"GET_MASTER_PUBLIC_KEY": 1}, {"PRIVILEGE_CHECKS_USER": "@NULL"}, {"REQUIRE_ROW_FORMAT": 1}, {"REQUIRE_ROW_FORMAT": 0},
    {"REQUIRE_TABLE_PRIMARY_KEY_CHECK": "GENERATE"}, {"REQUIRE_TABLE_PRIMARY_KEY_CHECK": "ON"}, {"REQUIRE_TABLE_PRIMARY_KEY_CHECK": "OFF"}, {"GTID_ONLY": 1}, {"GTID_ONLY": 0},
    {"SOURCE_CONNECTION_AUTO_FAILOVER": 1}, {"SOURCE_CONNECTION_AUTO_FAILOVER": 0}, {"ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS": "LOCAL"}, {"NETWORK_NAMESPACE": ""},
    {"_LOG_FILE": "nosuch.000001"}, {"_LOG_POS": 4}, {"_LOG_POS": 99999999}, {"RELAY_LOG_FILE": "r.000001", "RELAY_LOG_POS": 4}, {"_CONNECT_RETRY": 1, "_DELAY": 1},
)  # fmt: skip
ACCOUNTS = (
    ["CREATE USER a1@localhost, a2@localhost"], ["CREATE USER a1@localhost IDENTIFIED BY 'x'", "ALTER USER a1@localhost IDENTIFIED BY 'y'"],
    ["CREATE USER a1@localhost IDENTIFIED BY RANDOM PASSWORD"], ["CREATE USER a1@localhost", "ALTER USER a1@localhost ACCOUNT LOCK"], ["CREATE USER a1@localhost ACCOUNT LOCK PASSWORD EXPIRE"],
    ["CREATE USER a1@localhost PASSWORD HISTORY 5"], ["CREATE USER a1@localhost PASSWORD REUSE INTERVAL 5 DAY"], ["CREATE USER a1@localhost PASSWORD REQUIRE CURRENT"],
    ["CREATE USER a1@localhost FAILED_LOGIN_ATTEMPTS 3 PASSWORD_LOCK_TIME 2"], ["CREATE USER a1@localhost REQUIRE SUBJECT '/CN=x' AND ISSUER '/CN=y'"], ["CREATE USER a1@localhost REQUIRE NONE"],
    ["CREATE USER a1@localhost WITH MAX_STATEMENT_TIME 5"], ["CREATE USER a1@localhost WITH MAX_USER_CONNECTIONS 5 MAX_UPDATES_PER_HOUR 3"],
    ["CREATE USER a1@localhost IDENTIFIED WITH mysql_native_password AS '*94BDCEBE19083CE2A1F959FD02F964C7AF4CFC29'"], ["CREATE USER a1@localhost IDENTIFIED VIA mysql_native_password USING PASSWORD('x')"],
    ["CREATE USER a1@localhost IDENTIFIED VIA unix_socket OR mysql_native_password"], ["CREATE USER a1@localhost IDENTIFIED WITH ed25519 USING PASSWORD('x')"], ["CREATE USER a1@localhost IDENTIFIED WITH auth_socket"],
    ["CREATE USER a1@localhost IDENTIFIED WITH sha256_password"], ["CREATE USER a1@localhost", "RENAME USER a1@localhost TO a2@localhost"], ["CREATE USER a1@localhost", "DROP USER a1@localhost"],
    ["DROP USER IF EXISTS a1@localhost, a2@localhost"], ["CREATE USER a1@localhost", "SET PASSWORD FOR a1@localhost = PASSWORD('x')"], ["CREATE USER a1@localhost", "SET PASSWORD FOR a1@localhost = 'x'"],
    ["CREATE USER ''@localhost"], ["CREATE USER 'ü'@'%'"], ["CREATE ROLE r1", "GRANT r1 TO root@localhost"], ["CREATE ROLE r1, r2"], ["CREATE ROLE r1 WITH ADMIN CURRENT_USER"], ["CREATE ROLE r1", "DROP ROLE r1"],
    ["CREATE ROLE r1", "GRANT SELECT ON d.* TO r1"], ["CREATE ROLE r1", "SET DEFAULT ROLE NONE TO root@localhost"], ["GRANT SELECT (id), UPDATE (v) ON d.t TO root@localhost"],
    ["CREATE PROCEDURE p() SELECT 1", "GRANT EXECUTE ON PROCEDURE d.p TO root@localhost"], ["GRANT USAGE ON *.* TO root@localhost"], ["GRANT ALL PRIVILEGES ON d.* TO root@localhost WITH GRANT OPTION"],
    ["GRANT CREATE TEMPORARY TABLES, LOCK TABLES, EVENT, TRIGGER ON d.* TO root@localhost"], ["GRANT CREATE TABLESPACE ON *.* TO root@localhost"], ["GRANT REPLICATION CLIENT ON *.* TO root@localhost"],
    ["GRANT BINLOG ADMIN ON *.* TO root@localhost"], ["GRANT BINLOG MONITOR ON *.* TO root@localhost"], ["GRANT REPLICA MONITOR ON *.* TO root@localhost"], ["GRANT CREATE ROLE, DROP ROLE ON *.* TO root@localhost"],
    ["GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO root@localhost"], ["GRANT APPLICATION_PASSWORD_ADMIN, AUDIT_ADMIN ON *.* TO root@localhost"], ["GRANT SET USER ON *.* TO root@localhost"],
    ["GRANT SELECT ON d.* TO nosuch@localhost IDENTIFIED BY 'x'"], ["GRANT SELECT ON d.* TO nosuch@localhost"], ["GRANT SELECT ON *.* TO root@localhost REQUIRE SSL"], ["GRANT SELECT ON *.* TO root@localhost WITH MAX_QUERIES_PER_HOUR 0"],
    ["GRANT SELECT ON d.* TO root@localhost", "REVOKE SELECT ON d.* FROM root@localhost"], ["REVOKE IF EXISTS SELECT ON d.* FROM root@localhost"], ["REVOKE SELECT ON d.* FROM root@localhost IGNORE UNKNOWN USER"],
    ["CREATE USER a1@localhost", "REVOKE ALL PRIVILEGES, GRANT OPTION FROM a1@localhost"], ["FLUSH PRIVILEGES"], ["DELETE FROM mysql.db WHERE user='nosuch'"], ["UPDATE mysql.user SET host=host"],
    ["CREATE OR REPLACE USER a1@localhost"], ["CREATE USER IF NOT EXISTS a1@localhost", "ALTER USER IF EXISTS a1@localhost PASSWORD EXPIRE NEVER"], ["ALTER USER root@localhost DEFAULT ROLE ALL"],
    ["ALTER USER root@localhost WITH MAX_QUERIES_PER_HOUR 0"], ["CREATE USER a1@localhost COMMENT 'c'"], ["CREATE USER a1@localhost ATTRIBUTE '{\"a\": 1}'"], ["CREATE USER a1@localhost DEFAULT ROLE NONE"],
    ["SET DEFAULT ROLE NONE FOR root@localhost"], ["SET ROLE NONE"], ["GRANT PROXY ON ''@'' TO root@localhost"], ["GRANT SHOW VIEW, CREATE VIEW, CREATE ROUTINE, ALTER ROUTINE ON d.* TO root@localhost"],
)  # fmt: skip
DEFINITIONS = (
    "CREATE TABLE n (a INT PRIMARY KEY, b INT AS (a+1) VIRTUAL, c INT AS (a+2) STORED)", "CREATE TABLE n (a INT PRIMARY KEY, b INT GENERATED ALWAYS AS (a+1) PERSISTENT)",
    "CREATE TABLE n (a INT PRIMARY KEY, b JSON, c INT AS (JSON_VALUE(b,'$.x')))", "CREATE TABLE n (a INT PRIMARY KEY, b JSON, c INT AS (b->'$.x'))", "CREATE TABLE n (a INT PRIMARY KEY, b VARCHAR(20) DEFAULT (LOWER('A')))",
    "CREATE TABLE n (a INT PRIMARY KEY, b DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3))", "CREATE TABLE n (a INT PRIMARY KEY, b TIMESTAMP(6) NULL DEFAULT NULL)",
    "CREATE TABLE n (a INT PRIMARY KEY, b ENUM('a','b') CHARACTER SET latin1, c SET('x','y') COLLATE utf8mb4_bin)", "CREATE TABLE n (a INT PRIMARY KEY, b CHAR(5) BYTE, c VARCHAR(5) ASCII, d VARCHAR(5) UNICODE)",
    "CREATE TABLE n (a INT PRIMARY KEY, b LONG VARCHAR, c LONG VARBINARY)", "CREATE TABLE n (a INT PRIMARY KEY, b MEDIUMINT(5) UNSIGNED ZEROFILL)", "CREATE TABLE n (a INT PRIMARY KEY, b FLOAT(5), c FLOAT(30), d REAL)",
    "CREATE TABLE n (a INT PRIMARY KEY, b DECIMAL(65,30))", "CREATE TABLE n (a INT PRIMARY KEY, b DECIMAL(65,38))", "CREATE TABLE n (a INT PRIMARY KEY, b YEAR(4))", "CREATE TABLE n (a INT PRIMARY KEY, b BIT)",
    "CREATE TABLE n (a INT PRIMARY KEY, b POINT NOT NULL, SPATIAL KEY (b))", "CREATE TABLE n (a INT PRIMARY KEY, b GEOMCOLLECTION)", "CREATE TABLE n (a INT PRIMARY KEY, b GEOMETRYCOLLECTION, c MULTIPOLYGON)",
    "CREATE TABLE n (a INT PRIMARY KEY, b INET4)", "CREATE TABLE n (a UUID PRIMARY KEY DEFAULT UUID())", "CREATE TABLE n (a INT PRIMARY KEY, b VECTOR(3))", "CREATE TABLE n (a INT PRIMARY KEY, v VECTOR(3) NOT NULL, VECTOR INDEX (v))",
    "CREATE TABLE n (a INT PRIMARY KEY, b INT, INDEX USING HASH (b))", "CREATE TABLE n (a INT PRIMARY KEY, b INT, UNIQUE u (b) USING BTREE)", "CREATE TABLE n (a INT PRIMARY KEY, b VARCHAR(200), KEY (b(10) DESC))",
    "CREATE TABLE n (a INT PRIMARY KEY, b TEXT, UNIQUE (b))", "CREATE TABLE n (a INT PRIMARY KEY, b TEXT, FULLTEXT KEY (b) WITH PARSER ngram)", "CREATE TABLE n (a INT PRIMARY KEY, b INT, CONSTRAINT k CHECK (b>1))",
    "CREATE TABLE n (a INT PRIMARY KEY, b INT, CONSTRAINT k CHECK (b>1) NOT ENFORCED)", "CREATE TABLE n (a INT PRIMARY KEY, b INT CONSTRAINT k CHECK (b>1))", "CREATE TABLE n (a INT PRIMARY KEY, b INT REFERENCES t (id))",
    "CREATE TABLE n (a INT PRIMARY KEY, b INT, CONSTRAINT fk FOREIGN KEY (b) REFERENCES t (id) ON DELETE SET NULL ON UPDATE CASCADE)", "CREATE TABLE n (a INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES t (id) ON DELETE SET DEFAULT)",
    "CREATE TABLE n (a INT PRIMARY KEY, b INT VISIBLE)", "CREATE TABLE n (a INT PRIMARY KEY, b INT NOT NULL INVISIBLE DEFAULT 5)", "CREATE TABLE n (a INT PRIMARY KEY, b INT, KEY k (b) IGNORED)", "CREATE TABLE n (a INT PRIMARY KEY, KEY k (a) CLUSTERING=YES)",
    "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=InnoDB KEY_BLOCK_SIZE=8", "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=InnoDB ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=4", "CREATE TABLE n (a INT PRIMARY KEY) ROW_FORMAT=DYNAMIC STATS_AUTO_RECALC=1",
    "CREATE TABLE n (a INT PRIMARY KEY) STATS_SAMPLE_PAGES=5 STATS_PERSISTENT=DEFAULT", "CREATE TABLE n (a INT PRIMARY KEY) DATA DIRECTORY='/tmp'", "CREATE TABLE n (a INT PRIMARY KEY) TABLESPACE innodb_system", "CREATE TABLE n (a INT PRIMARY KEY) SEQUENCE=0",
    "CREATE TABLE n (a INT PRIMARY KEY) WITH SYSTEM VERSIONING PARTITION BY SYSTEM_TIME LIMIT 5 (PARTITION p HISTORY, PARTITION q CURRENT)", "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=Aria TRANSACTIONAL=0 ROW_FORMAT=PAGE",
    "CREATE TABLE n (a INT PRIMARY KEY) PAGE_COMPRESSED=1", "CREATE TABLE n (a INT PRIMARY KEY) PAGE_COMPRESSED=1 PAGE_COMPRESSION_LEVEL=3", "CREATE TABLE n (a INT PRIMARY KEY) ENCRYPTED=DEFAULT", "CREATE TABLE n (a INT PRIMARY KEY) `foo`='bar'",
    "CREATE TABLE n (a INT PRIMARY KEY) AUTOEXTEND_SIZE=4M", "CREATE TABLE n (a INT PRIMARY KEY) SECONDARY_ENGINE_ATTRIBUTE='{}'", "CREATE TABLE n (a INT PRIMARY KEY) COMMENT='q' CONNECTION='x'", "CREATE TABLE n (a INT PRIMARY KEY) CHECKSUM=1 PACK_KEYS=0 DELAY_KEY_WRITE=1",
    "CREATE TABLE n (a INT PRIMARY KEY) PARTITION BY KEY ALGORITHM=2 (a) PARTITIONS 2", "CREATE TABLE n (a INT PRIMARY KEY) PARTITION BY LINEAR HASH (a) PARTITIONS 4", "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=MyISAM PARTITION BY HASH (a) PARTITIONS 2",
    "CREATE TABLE n (a DATE) PARTITION BY RANGE (TO_DAYS(a)) (PARTITION p VALUES LESS THAN (700000), PARTITION q VALUES LESS THAN MAXVALUE)", "CREATE TABLE n (a INT PRIMARY KEY) PARTITION BY LIST (a) (PARTITION p VALUES IN (1,2))",
    "CREATE TABLE n (a TIMESTAMP NOT NULL DEFAULT NOW() PRIMARY KEY) PARTITION BY RANGE (UNIX_TIMESTAMP(a)) (PARTITION p VALUES LESS THAN MAXVALUE)", "CREATE OR REPLACE TABLE n (a INT PRIMARY KEY)", "CREATE TABLE IF NOT EXISTS n (a INT PRIMARY KEY)",
    "CREATE TABLE n (a INT PRIMARY KEY) CHARACTER SET utf8", "CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(9)) CHARSET utf8mb3", "CREATE TABLE n (v VARCHAR(9) PRIMARY KEY) COLLATE utf8mb4_0900_as_cs", "CREATE TABLE n (v VARCHAR(9) PRIMARY KEY) COLLATE uca1400_ai_ci",
    "CREATE TABLE n (a INT PRIMARY KEY, `rank` INT, `groups` INT)", "CREATE TABLE n (a INT PRIMARY KEY, over INT)", "CREATE TABLE n (a INT PRIMARY KEY, recursive INT)", "CREATE TABLE n (a INT PRIMARY KEY, stored INT, virtual INT)", "CREATE TABLE n (a INT PRIMARY KEY, offset INT, rows INT)",
    "CREATE TABLE n (a INT PRIMARY KEY, intersect INT)", "CREATE TABLE n (a INT PRIMARY KEY, function INT)", "CREATE TABLE n (a INT PRIMARY KEY, parallel INT)", "CREATE TABLE n (a INT PRIMARY KEY, empty INT, json_table INT)", "CREATE TABLE n (a INT PRIMARY KEY, get INT, optimizer_costs INT)",
    "CREATE TABLE n (a INT PRIMARY KEY, partition INT)", "CREATE TABLE n (a INT PRIMARY KEY, window INT)", "CREATE TABLE n (a INT PRIMARY KEY, vector INT)", "CREATE TABLE n (a INT PRIMARY KEY, conversion INT, to_date INT)",
    "CREATE TABLE n (a INT PRIMARY KEY /*!80023 INVISIBLE */)", "CREATE TABLE n (a INT PRIMARY KEY /*!50700 , b JSON */)", "CREATE TABLE n (a INT PRIMARY KEY /*M!100300 , b INT INVISIBLE */)", "CREATE TABLE n (a INT PRIMARY KEY) /*!50100 PARTITION BY HASH (a) PARTITIONS 2 */",
    "CREATE TABLE n (a INT PRIMARY KEY) /*!100501 COMMENT='x' */", "CREATE TABLE n (a INT, b INT, PERIOD FOR p (c, d), c DATE, d DATE)", "ALTER TABLE t ADD COLUMN w INT INVISIBLE", "ALTER TABLE t ADD COLUMN (w INT, x INT)", "ALTER TABLE t ADD w INT NOT NULL FIRST",
    "ALTER TABLE t ADD w TIMESTAMP NOT NULL DEFAULT NOW()", "ALTER TABLE t ADD w INT AS (id+1)", "ALTER TABLE t ADD w VARCHAR(9) DEFAULT (UUID())", "ALTER TABLE t ADD w INT, ALGORITHM=INSTANT", "ALTER TABLE t ADD w INT, ALGORITHM=INPLACE, LOCK=NONE",
    "ALTER TABLE t DROP COLUMN b, ALGORITHM=INSTANT", "ALTER TABLE t DROP b", "ALTER TABLE t DROP PRIMARY KEY", "ALTER TABLE t ADD CONSTRAINT u UNIQUE (v)", "ALTER TABLE t ADD FULLTEXT (v)", "ALTER TABLE t ADD INDEX k ((id+1))", "ALTER TABLE t ADD INDEX k (v) INVISIBLE",
    "ALTER TABLE t ADD INDEX k (v) IGNORED", "ALTER TABLE t ADD INDEX k (v) COMMENT 'c', RENAME INDEX k TO k2", "ALTER TABLE t RENAME AS t5", "ALTER TABLE t RENAME COLUMN b TO bb, ADD x INT", "ALTER TABLE t CHANGE COLUMN v v2 VARCHAR(30) NOT NULL DEFAULT ''",
    "ALTER TABLE t ALTER COLUMN v DROP DEFAULT", "ALTER TABLE t ALTER COLUMN v SET DEFAULT (CONCAT('a','b'))", "ALTER TABLE t CONVERT TO CHARACTER SET latin1", "ALTER TABLE t CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci", "ALTER TABLE t ENGINE=MyISAM",
    "ALTER TABLE t ENGINE=InnoDB", "ALTER TABLE t AUTO_INCREMENT=50", "ALTER TABLE t DISABLE KEYS", "ALTER TABLE t REMOVE PARTITIONING", "ALTER TABLE t ADD CONSTRAINT c CHECK (id>0) ENFORCED", "ALTER TABLE t ADD CONSTRAINT c CHECK (id>0), DROP CONSTRAINT c",
    "ALTER TABLE t ADD SYSTEM VERSIONING", "ALTER TABLE t SECONDARY_ENGINE=NULL", "ALTER TABLE t ENCRYPTION='N'", "ALTER TABLE IF EXISTS t ADD w INT", "ALTER TABLE t ADD COLUMN IF NOT EXISTS w INT", "ALTER TABLE t MODIFY COLUMN IF EXISTS v TEXT", "ALTER TABLE t DROP INDEX IF EXISTS k",
    "RENAME TABLE t TO d.t6", "RENAME TABLE IF EXISTS t TO t6", "TRUNCATE TABLE t", "DROP TABLE t RESTRICT", "DROP TABLES t", "DROP TABLE IF EXISTS t, zz", "CREATE INDEX k ON t (v(5))", "CREATE INDEX k ON t (v) INVISIBLE", "CREATE INDEX k ON t (v) COMMENT 'x' KEY_BLOCK_SIZE=4",
    "CREATE INDEX k USING HASH ON t (v)", "CREATE UNIQUE INDEX k ON t (v)", "CREATE INDEX k ON t ((UPPER(v)))", "CREATE SPATIAL INDEX k ON t (b)", "DROP INDEX `PRIMARY` ON t", "CREATE VIEW n AS SELECT id, UPPER(v) u FROM t", "CREATE ALGORITHM=MERGE SQL SECURITY INVOKER VIEW n AS SELECT id FROM t WITH CHECK OPTION",
    "CREATE VIEW n AS SELECT GROUP_CONCAT(v SEPARATOR '-') FROM t", "CREATE VIEW n (x) AS VALUES ROW(1)", "CREATE VIEW n AS SELECT id FROM t INTERSECT SELECT 1", "CREATE VIEW n AS SELECT RANK() OVER (ORDER BY id) r FROM t", "CREATE VIEW n AS SELECT UUID() u",
    "CREATE VIEW n AS SELECT REGEXP_REPLACE(v,'a','b') FROM t", "CREATE VIEW n AS SELECT MEDIAN(id) OVER () FROM t", "CREATE VIEW n AS SELECT * FROM t FOR SYSTEM_TIME ALL", "CREATE VIEW n AS SELECT * FROM information_schema.tables", "ALTER VIEW nosuch AS SELECT 1",
    "CREATE PROCEDURE p(INOUT a INT) BEGIN IF a THEN SET a=1; END IF; END", "CREATE PROCEDURE p() BEGIN DECLARE c CURSOR FOR SELECT 1; OPEN c; CLOSE c; END", "CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION ROLLBACK; END", "CREATE PROCEDURE p() BEGIN DECLARE a ROW(x INT); END",
    "CREATE PROCEDURE p() BEGIN DECLARE a TYPE OF t.id; END", "CREATE PROCEDURE p() SIGNAL SQLSTATE '45000'", "CREATE PROCEDURE p() GET DIAGNOSTICS @x = NUMBER", "CREATE PROCEDURE p() COMMENT 'c' SQL SECURITY INVOKER SELECT 1", "CREATE PROCEDURE p() LANGUAGE SQL SELECT 1",
    "CREATE FUNCTION f() RETURNS VARCHAR(9) CHARSET latin1 NO SQL RETURN 'x'", "CREATE FUNCTION f(a JSON) RETURNS JSON DETERMINISTIC RETURN a", "CREATE FUNCTION f() RETURNS UUID DETERMINISTIC RETURN NULL", "CREATE DEFINER=nosuch@localhost PROCEDURE p() SELECT 1",
    "CREATE DEFINER=CURRENT_USER TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET @x=1", "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW FOLLOWS nosuch SET @x=1", "CREATE TRIGGER tr AFTER DELETE ON t FOR EACH ROW BEGIN END", "CREATE TRIGGER IF NOT EXISTS tr BEFORE UPDATE ON t FOR EACH ROW SET NEW.v='q'",
    "CREATE EVENT e ON SCHEDULE EVERY 1 DAY STARTS '2035-01-01' ENDS '2036-01-01' ON COMPLETION PRESERVE DISABLE COMMENT 'c' DO SELECT 1", "CREATE EVENT e ON SCHEDULE EVERY 1 MONTH DISABLE ON SLAVE DO SELECT 1", "CREATE EVENT e ON SCHEDULE EVERY 1 MONTH DISABLE ON REPLICA DO SELECT 1",
    "CREATE OR REPLACE EVENT e ON SCHEDULE EVERY 1 DAY DO SELECT 1", "CREATE SEQUENCE sq INCREMENT BY 2 CACHE 10 CYCLE", "CREATE SEQUENCE sq AS BIGINT UNSIGNED", "CREATE DATABASE d8 DEFAULT ENCRYPTION='N'", "CREATE OR REPLACE DATABASE d8", "CREATE SCHEMA IF NOT EXISTS d8 COMMENT 'c'",
    "CREATE DATABASE d8 COLLATE utf8mb4_0900_bin", "CREATE DATABASE d8 COLLATE latin1_bin", "ALTER DATABASE d COLLATE utf8mb4_uca1400_ai_ci", "ALTER DATABASE CHARACTER SET latin1", "DROP SCHEMA IF EXISTS zz", "CREATE SERVER s1 FOREIGN DATA WRAPPER mysql OPTIONS (USER 'x', HOST '127.0.0.1', DATABASE 'd')",
    "DROP SERVER IF EXISTS s1", "CREATE OR REPLACE SERVER s1 FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1')", "CREATE SPATIAL REFERENCE SYSTEM 990000 NAME 'x' DEFINITION 'GEOGCS[\"a\",DATUM[\"b\",SPHEROID[\"c\",6378137,298]],PRIMEM[\"d\",0],UNIT[\"e\",0.017]]'", "CREATE RESOURCE GROUP rg TYPE=USER",
    "CREATE FUNCTION f RETURNS STRING SONAME 'nosuch.so'", "INSTALL PLUGIN x SONAME 'nosuch.so'", "INSTALL COMPONENT 'file://nosuch'", "ANALYZE LOCAL TABLE t", "OPTIMIZE TABLE t", "REPAIR TABLE t", "CHECK TABLE t", "CACHE INDEX t IN default", "LOAD INDEX INTO CACHE t", "RESET QUERY CACHE", "FLUSH BINARY LOGS",
    "FLUSH HOSTS", "FLUSH USER_RESOURCES", "FLUSH TABLES t", "PURGE BINARY LOGS BEFORE '2000-01-01'", "CREATE TABLE n SELECT 1 a", "CREATE TABLE n (PRIMARY KEY (a)) IGNORE SELECT 1 a", "CREATE TABLE n (a INT PRIMARY KEY) REPLACE SELECT 1 a", "CREATE TABLE n LIKE t", "CREATE TABLE n (LIKE t)",
    "CREATE TABLE n AS TABLE t", "CREATE TABLE n AS VALUES ROW(1,2)", "CREATE TABLE n AS WITH q AS (SELECT 5 a) SELECT * FROM q", "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=MyISAM SELECT 5 a", "CREATE TABLE n (a SERIAL)", "CREATE TABLE n (a INT KEY, b BOOL DEFAULT TRUE)", "CREATE TABLE n (a VARCHAR(70000))",
)  # fmt: skip
CHANGES = (
    "INSERT LOW_PRIORITY INTO t VALUES (1,'a','b')", "INSERT HIGH_PRIORITY INTO t VALUES (1,'a','b')", "INSERT INTO t SET id=1, v=UPPER('a')", "INSERT INTO t VALUES (1,_latin1'a','b'),(2,N'x',X'41')", "INSERT INTO t VALUES (1,0x41,b'1')",
    "INSERT INTO t VALUES (1,'a' 'b','c')", "INSERT INTO t (id,v) VALUES ROW(1,'a')", "INSERT INTO t VALUES (1,'a','b'),(2,'c','d') ON DUPLICATE KEY UPDATE v=VALUE(v)", "REPLACE LOW_PRIORITY t VALUES (1,'a','b')", "REPLACE INTO t SELECT 1,'a','b'",
    "UPDATE IGNORE t SET v='x'", "UPDATE t SET v='x' ORDER BY id LIMIT 1", "UPDATE t SET id=id+100", "UPDATE t SET v=(SELECT MAX(v) FROM (SELECT * FROM t) q)", "UPDATE t AS a SET a.v='z' WHERE a.id=3", "UPDATE d.t SET v='x'", "UPDATE t PARTITION (p0) SET v='x'",
    "DELETE QUICK FROM t", "DELETE FROM t LIMIT 1", "DELETE t FROM t JOIN (SELECT 3 id) q USING (id)", "DELETE FROM t USING t WHERE id=3", "DELETE FROM d.t WHERE id=3", "DELETE IGNORE FROM t WHERE id=3", "INSERT INTO t SELECT 1, MAX(v), 'x' FROM t", "INSERT INTO t SELECT id+1, v, b FROM t LIMIT 1",
    "INSERT INTO t VALUES (1, IF(1,'a','b'), 'x')", "INSERT INTO t VALUES (1, IFNULL(NULL,'q'), COALESCE(NULL,'x'))", "INSERT INTO t VALUES (1, NULLIF(1,2), 'x')", "INSERT INTO t VALUES (1, MD5('a'), SHA1('a'))", "INSERT INTO t VALUES (1, HEX('a'), UNHEX('41'))", "INSERT INTO t VALUES (1, LEFT(SHA2('a',256),9), 'x')",
    "INSERT INTO t VALUES (1, CONV(10,10,2), 'x')", "INSERT INTO t VALUES (1, FORMAT(1234.5,2), 'x')", "INSERT INTO t VALUES (1, FORMAT(1234.5,2,'de_DE'), 'x')", "INSERT INTO t VALUES (1, INET_ATON('127.0.0.1'), 'x')", "INSERT INTO t VALUES (1, HEX(INET6_ATON('::1')), 'x')", "INSERT INTO t VALUES (1, DATEDIFF('2020-01-02','2020-01-01'), 'x')",
    "INSERT INTO t VALUES (1, DATE_ADD('2020-01-01', INTERVAL 1 DAY), 'x')", "INSERT INTO t VALUES (1, EXTRACT(YEAR FROM '2020-01-01'), 'x')", "INSERT INTO t VALUES (1, STR_TO_DATE('01,5,2013','%d,%m,%Y'), 'x')", "INSERT INTO t VALUES (1, LAST_DAY('2020-02-01'), 'x')", "INSERT INTO t VALUES (1, CRC32('x'), 'x')",
    "INSERT INTO t VALUES (1, ELT(2,'a','b'), 'x')", "INSERT INTO t VALUES (1, 'a' REGEXP 'a', 'x')", "INSERT INTO t VALUES (1, 'a' RLIKE 'b', 'x')", "INSERT INTO t VALUES (1, 'a' SOUNDS LIKE 'b', 'x')", "INSERT INTO t VALUES (1, 5 DIV 2, 5 MOD 2)", "INSERT INTO t VALUES (1, 1 XOR 0, 'x')", "INSERT INTO t VALUES (1, ~0, 'x')",
    "INSERT INTO t VALUES (1, CAST(1.5 AS SIGNED), 'x')", "INSERT INTO t VALUES (1, CAST('1' AS DOUBLE), 'x')", "INSERT INTO t VALUES (1, CAST('2020' AS YEAR), 'x')", "INSERT INTO t VALUES (1, CAST('a' AS CHAR(5) CHARACTER SET latin1), 'x')", "INSERT INTO t VALUES (1, CONVERT('a', CHAR), 'x')", "INSERT INTO t VALUES (1, BINARY 'a', 'x')",
    "INSERT INTO t VALUES (1, JSON_ARRAY(1,2), 'x')", "INSERT INTO t VALUES (1, JSON_CONTAINS('[1]','1'), 'x')", "INSERT INTO t VALUES (1, JSON_MERGE('[1]','[2]'), 'x')", "INSERT INTO t VALUES (1, JSON_MERGE_PATCH('{}','{}'), 'x')", "INSERT INTO t VALUES (1, JSON_SCHEMA_VALID('{}','{}'), 'x')", "INSERT INTO t VALUES (1, JSON_OVERLAPS('[1]','[1]'), 'x')",
    "INSERT INTO t VALUES (1, JSON_QUERY('{}','$'), 'x')", "INSERT INTO t VALUES (1, JSON_LOOSE('{}'), 'x')", "INSERT INTO t VALUES (1, JSON_STORAGE_SIZE('{}'), 'x')", "INSERT INTO t VALUES (1, JSON_NORMALIZE('{}'), 'x')", "INSERT INTO t VALUES (1, JSON_EQUALS('1','1'), 'x')", "INSERT INTO t VALUES (1, JSON_UNQUOTE('\"a\"'), 'x')",
    "INSERT INTO t VALUES (1, ST_Distance_Sphere(POINT(1,1),POINT(2,2)) > 0, 'x')", "INSERT INTO t VALUES (1, ST_GeoHash(1,1,5), 'x')", "INSERT INTO t VALUES (1, ST_Area(ST_GeomFromText('POLYGON((0 0,1 0,1 1,0 0))')), 'x')", "INSERT INTO t VALUES (1, X(POINT(1,2)), 'x')", "INSERT INTO t VALUES (1, ST_SRID(POINT(1,2)), 'x')",
    "INSERT INTO t VALUES (1, GeometryType(POINT(1,2)), 'x')", "INSERT INTO t VALUES (1, Distance(POINT(1,2),POINT(1,2)), 'x')", "INSERT INTO t VALUES (1, DECODE_ORACLE(1,1,'a'), 'x')", "INSERT INTO t VALUES (1, LPAD('a',3), 'x')", "INSERT INTO t VALUES (1, CONCAT_OPERATOR_ORACLE('a','b'), 'x')", "INSERT INTO t VALUES (1, TRIM_ORACLE('a'), 'x')",
    "INSERT INTO t VALUES (1, CHR(65), 'x')", "INSERT INTO t VALUES (1, TO_NUMBER('5'), 'x')", "INSERT INTO t VALUES (1, UNCOMPRESSED_LENGTH(COMPRESS('aaaa')), 'x')", "INSERT INTO t VALUES (1, LENGTHB('a'), 'x')", "INSERT INTO t VALUES (1, GET_LOCK('a',0), RELEASE_LOCK('a'))", "INSERT INTO t VALUES (1, RELEASE_ALL_LOCKS(), 'x')",
    "INSERT INTO t VALUES (1, FOUND_ROWS(), ROW_COUNT())", "INSERT INTO t VALUES (1, DATABASE(), SCHEMA())", "INSERT INTO t VALUES (1, CHARSET('a'), COERCIBILITY('a'))", "INSERT INTO t VALUES (1, BENCHMARK(1,1), 'x')", "INSERT INTO t VALUES (1, LOAD_FILE('/nosuch'), 'x')", "INSERT INTO t VALUES (1, NAME_CONST('a',1), 'x')", "INSERT INTO t VALUES (1, UUID_SHORT()>0, 'x')",
    "INSERT INTO t VALUES (1, WEIGHT_STRING('a') IS NULL, 'x')", "INSERT INTO t VALUES (1, ROUND(RAND(3),3), 'x')", "INSERT INTO t VALUES (1, @@max_allowed_packet, 'x')", "INSERT INTO t VALUES (1, @@version_comment IS NULL, 'x')", "INSERT INTO t VALUES (1, @undefined, 'x')", "INSERT INTO t SELECT 1, v, b FROM t WHERE v MEMBER OF ('[1]')",
    "INSERT INTO t SELECT seq, 'a', 'b' FROM seq_11_to_13", "INSERT INTO t SELECT 1, q.a, 'x' FROM (VALUES ROW(5)) q (a)", "INSERT INTO t SELECT * FROM (SELECT 1 a, 'b' c, 'x' d) q EXCEPT SELECT 2,'b','x'", "INSERT INTO t (SELECT 1,'a','b')", "INSERT INTO t SELECT /*+ MAX_EXECUTION_TIME(1000) */ 1,'a','b'", "INSERT /*+ SET_VAR(sort_buffer_size=100000) */ INTO t VALUES (1,'a','b')",
    "INSERT INTO t SELECT 1,'a','b' FROM DUAL FOR UPDATE", "INSERT INTO t SELECT id+1,v,b FROM t LOCK IN SHARE MODE", "INSERT INTO t SELECT id+1,v,b FROM t FOR SHARE", "INSERT INTO t SELECT id+1,v,b FROM t FOR UPDATE SKIP LOCKED", "INSERT INTO t SELECT SQL_NO_CACHE id+1,v,b FROM t", "INSERT INTO t SELECT SQL_CACHE id+1,v,b FROM t", "INSERT INTO t SELECT id+1,v,b FROM t PROCEDURE ANALYSE()",
    "UPDATE t SET v='x' RETURNING id", "UPDATE t SET v='x' WHERE id=3 RETURNING OLD_VALUE(v)", "WITH q AS (SELECT 3 n) UPDATE t, q SET v='x' WHERE t.id=q.n", "DELETE FROM t WHERE id IN (WITH q AS (SELECT 3 n) SELECT n FROM q)", "DELETE HISTORY FROM t", "DO SLEEP(0)", "CALL nosuch()", "START TRANSACTION READ ONLY", "LOCK TABLES t WRITE CONCURRENT", "LOCK INSTANCE FOR BACKUP", "BACKUP STAGE START",
    "INSERT INTO t SELECT 1, GROUPING(v), 'x' FROM t GROUP BY v WITH ROLLUP LIMIT 1", "INSERT INTO t SELECT 1, v, 'x' FROM t GROUP BY v ASC LIMIT 1", "INSERT INTO t SELECT 1, STDDEV(id), 'x' FROM t", "INSERT INTO t SELECT 1, BIT_COUNT(7), 'x'", "INSERT INTO t SELECT 1, NTILE(2) OVER (ORDER BY id), 'x' FROM t", "INSERT INTO t SELECT 1, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY id) OVER (), 'x' FROM t LIMIT 1",
    "INSERT INTO t SELECT 1, JSON_OBJECTAGG(id,id), 'x' FROM t", "INSERT INTO t VALUES (1, FROM_DAYS(730000), 'x')", "INSERT INTO t VALUES (1, SEC_TO_TIME(3600), 'x')", "INSERT INTO t VALUES (1, TIMESTAMPDIFF(DAY,'2020-01-01','2020-02-01'), 'x')", "INSERT INTO t VALUES (1, PERIOD_ADD(202001,1), 'x')", "INSERT INTO t VALUES (1, DATE'2020-01-01', TIMESTAMP'2020-01-01 00:00:00')",
)  # fmt: skip
GTID_POSITIONS = ("file", "gtid", "none")
SIZES = (100, 255, 256, 1000, 70000, 1100000, 4300000)


def _mend(s: str, r: str) -> dict[str, Any]:
    """`cases.mend` for MariaDB 10.5 too: it has no TLS of its own, no 0900 and no uca1400 collations."""
    alias = {D5: "mariadb-10.11"}
    made = cases.mend(alias.get(s, s), alias.get(r, r))
    if s == "mariadb-11.8" and r == D5:
        made = {
            **made,
            "source_settings": {"collation_server": GEN},
            "session": [f"SET NAMES utf8mb4 COLLATE {GEN}"],
        }
    return made


def _format(name: str, s: str, r: str) -> dict[str, str]:
    return {"binlog_format": FORMATS[zlib.crc32(f"{name}{s}{r}".encode()) % 3]}


def _parsed(text: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    for line in text.split("\n"):
        given, _, workload = line.partition(" | ")
        if given:
            pieces = (
                [piece.partition("=") for piece in given.split(",")]
                if "'" not in given
                else [given.partition("=")]
            )
            yield given, {name: value.strip("'") for name, _, value in pieces}, workload or "dml"


def for_pair(s: str, r: str) -> list[dict[str, Any]]:
    """Every case of this source and this replica."""
    k = Maker(s, r)
    k.base = _mend(s, r)
    _variables(k)
    _sessions(k)
    _statements(k)
    _objects(k)
    _channels(k)
    _gtids(k)
    _sizes(k)
    return k.out


def _variables(k: Maker) -> None:
    for role, text in (("source", SOURCE_VARIABLES), ("replica", REPLICA_VARIABLES)):
        for given, values, workload in _parsed(text):
            tables, statements = WORKLOADS[workload]
            name = f"{given} {workload}"
            kept = _format(name, k.s, k.r)
            ends: dict[str, Any] = (
                {"ss": {**kept, **values}} if role == "source" else {"ss": kept, "rs": values}
            )
            k.case(f"{role} variable", name, tables=tables, st=statements, **ends)
    for role, option, value, workload in START_OPTIONS:
        apart, statements = OBJECTS.get(workload, ([], []))
        tables, usual = WORKLOADS.get(workload, (None, statements))
        name = f"{role} {option}={value} {workload}"
        kept = _format(name, k.s, k.r)
        k.case(
            "start option", name, tables=tables, st=statements or usual, rsession=apart, ss={**kept, **({option: value} if role == "S" else {})},
            rs={option: value} if role == "R" else {}, session=UNLOGGED if workload == "lost row" else [],
        )  # fmt: skip


def _sessions(k: Maker) -> None:
    for before, workload in SESSIONS:
        tables, statements = WORKLOADS[workload]
        name = f"{'; '.join(before)} {workload}"
        given: dict[str, Any] = (
            {"names": before[0]} if before[0].startswith("SET NAMES") else {"session": before}
        )
        k.case("session", name, tables=tables, st=statements, ss=_format(name, k.s, k.r), **given)
    for zone in ZONES:
        for at, text in enumerate(ZONED):
            if (at + len(zone)) % 3 == 0:
                name = f"{zone} {text[:60]}"
                k.case(
                    "zone",
                    name,
                    tables=[STAMP],
                    st=[text, "INSERT INTO t VALUES (9,'x',NULL,NULL)"],
                    ss=_format(name, k.s, k.r),
                    session=[f"SET time_zone='{zone}'"],
                )
    for at, mode in enumerate(MODES):
        for more in (0, 1):
            statements = MODAL[(at + 3 * more) % len(MODAL)]
            name = f"{mode} {(at + 3 * more) % len(MODAL)}"
            k.case(
                "modes",
                name,
                st=statements,
                ss=_format(name, k.s, k.r),
                session=[f"SET SESSION sql_mode='{mode}'"],
            )
            k.case(
                "modes of the replica",
                name,
                st=statements,
                ss=_format(name + "r", k.s, k.r),
                rs={"sql_mode": mode},
            )


def _statements(k: Maker) -> None:
    for statements in ACCOUNTS:
        name = "; ".join(statements)
        k.case("accounts", name, st=[*statements, KEYED], ss=_format(name, k.s, k.r), needs_all=False)
    for text in DEFINITIONS:
        after = ["INSERT INTO n (a) VALUES (1)"] if text.startswith("CREATE TABLE n (a INT") else []
        k.case(
            "definition",
            text,
            st=[text, *after, "CREATE TABLE zlast (a INT PRIMARY KEY)"],
            ss=_format(text, k.s, k.r),
            needs_all=False,
        )
    for text in CHANGES:
        k.case(
            "change",
            text,
            st=["INSERT INTO t VALUES (3,'q','r')", text, "UPDATE t SET b='end'"],
            ss=_format(text, k.s, k.r),
            session=["SET SESSION sql_mode=''"],
            needs_all=False,
        )


def _objects(k: Maker) -> None:
    for apart, statements in DIFFER:
        name = "; ".join(apart) + " | " + "; ".join(statements)[:80]
        k.case("replica has", name, rsession=apart, st=statements, ss=_format(name, k.s, k.r))
        if not is_my(k.r):
            k.case(
                "replica has",
                name + " STRICT",
                rsession=apart,
                st=statements,
                ss=_format(name, k.s, k.r),
                rs={"slave_ddl_exec_mode": "STRICT"},
            )
    for here, statements in ONLY_HERE:
        name = "; ".join(here) + " | " + "; ".join(statements)[:80]
        k.case(
            "source has",
            name,
            session=["SET SESSION sql_log_bin=0", *here, "SET SESSION sql_log_bin=1"],
            st=statements,
            ss=_format(name, k.s, k.r),
        )
        if not is_my(k.r):
            k.case(
                "source has",
                name + " STRICT",
                session=["SET SESSION sql_log_bin=0", *here, "SET SESSION sql_log_bin=1"],
                st=statements,
                ss=_format(name, k.s, k.r),
                rs={"slave_ddl_exec_mode": "STRICT"},
            )


def _channels(k: Maker) -> None:
    word = "SOURCE" if k.r == M97 else "MASTER"
    for options in CHANNELS:
        spelt = {(word + key if key.startswith("_") else key): value for key, value in options.items()}
        name = " ".join(f"{key}={value}" for key, value in spelt.items())
        k.case("channel option", name, ch=spelt, ss=_format(name, k.s, k.r))
        if k.r == M97 and any(key.startswith("_") for key in options) and len(options) == 1:
            old = {("MASTER" + key if key.startswith("_") else key): value for key, value in options.items()}
            k.case("channel option", "old " + name, ch=old, ss=_format(name, k.s, k.r))


def _gtids(k: Maker) -> None:
    for position in GTID_POSITIONS:
        for workload in ("dml", "create", "temporary", "unkeyed", "mixed"):
            tables, statements = WORKLOADS[workload]
            name = f"{position} {workload}"
            k.case(
                "gtid position",
                name,
                position=position,
                tables=tables,
                st=statements,
                ss=_format(name, k.s, k.r),
            )
        k.case(
            "gtid position",
            f"{position} purged",
            position=position,
            st=["FLUSH LOGS", "FLUSH LOGS", "INSERT INTO t VALUES (1,'a','b')"],
            ss=_format(position, k.s, k.r),
        )
    for name, session in (
        ("uuid", ["SET gtid_next='aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa:5'"]), ("tagged uuid", ["SET gtid_next='aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa:mytag:5'"]), ("tag", ["SET gtid_next='AUTOMATIC:mytag'"]),
        ("seq", ["SET SESSION gtid_seq_no=500"]), ("domain and server", ["SET SESSION gtid_domain_id=4, server_id=88, gtid_seq_no=9"]),
    ):  # fmt: skip
        for strict in (0, 1):
            k.case(
                "gtid session",
                f"{name} {strict}",
                session=session,
                st=["INSERT INTO t VALUES (1,'a','b')"],
                ss=_format(name, k.s, k.r),
                rs={"gtid_strict_mode": strict} if not is_my(k.r) else {},
            )


def _sizes(k: Maker) -> None:
    for size in SIZES:
        for compressed in ({}, {"log_bin_compress": 1}, {"binlog_transaction_compression": 1}):
            name = f"{size} {' '.join(compressed)}"
            k.case(
                "size",
                name,
                tables=[LONG],
                st=[f"INSERT INTO t VALUES (1, '{'q' * size}')", "DELETE FROM t"],
                ss={**_format(name, k.s, k.r), **compressed},
            )
        k.case(
            "size",
            f"{size} statement only",
            tables=[LONG],
            st=[f"INSERT INTO t VALUES (1, REPEAT('q', {size}))"],
            ss={"binlog_format": "STATEMENT"},
            rs={"max_allowed_packet": 1048576},
        )
