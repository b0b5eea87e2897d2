"""A fifth set of link cases: what people do with a link that runs: purged and reset logs, GTIDs that one end
has, positions, filters, skipped events, caches, parallel workers, delays, semi-synchronous replication, TLS
versions, accounts and roles, session settings between statements, options at the start.

`for_pair(source, replica)` gives the cases of two of the five recorded servers, in the form of `cases.py`.
"""

# Statements are one literal each, as the servers are asked.
# ruff: noqa: E501

from __future__ import annotations

import random
import zlib
from typing import Any

from tests.link import aspects
from tests.link.aspects import D5, FORMATS
from tests.link.cases import D10, D11, M56, M97, SOURCE_IDS, Maker, T
from tests.link.combinations import LAST, ONE, WORKLOADS
from tests.link.variables import STATEMENTS, U

MY, MARIA = (M56, M97), (D5, D10, D11)
NEW = (M97, D10, D11)
ALL = (*MY, *MARIA)
UUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562"
E5 = "CREATE DATABASE d5"
BIG = "INSERT INTO t VALUES " + ",".join(f"({i},'v{i}',REPEAT('b',200))" for i in range(1, 120))
X5 = [E5, "CREATE TABLE d5.x (a INT PRIMARY KEY, v VARCHAR(9))", "INSERT INTO d5.x VALUES (1,'q')"]

#: (name, sources, replicas, options of the case): `ss`, `rs`, `session`, `rsession`, `ch` (without the word
#: MASTER or SOURCE), `position`, `st`, `tables`, `user`.
OPERATIONS: tuple[tuple[str, tuple[str, ...], tuple[str, ...], dict[str, Any]], ...] = (
    # logs that are gone
    ("purged", ALL, ALL, {"st": [ONE, "FLUSH LOGS", LAST, "PURGE BINARY LOGS TO 'bin.000002'"]}),
    ("purged gtid", ALL, ALL, {"st": [ONE, "FLUSH LOGS", LAST, "PURGE BINARY LOGS TO 'bin.000002'"], "position": "gtid"}),
    ("purged none", ALL, ALL, {"st": [ONE, "FLUSH LOGS", LAST, "PURGE BINARY LOGS TO 'bin.000002'"], "position": "none"}),
    ("purged twice", ALL, ALL, {"st": ["FLUSH LOGS", ONE, "FLUSH LOGS", "PURGE BINARY LOGS TO 'bin.000003'", LAST], "position": "none"}),
    ("purged before", ALL, ALL, {"session": ["FLUSH LOGS", "PURGE BINARY LOGS TO 'bin.000002'"]}),
    ("purged before none", ALL, ALL, {"session": [ONE, "FLUSH LOGS", "PURGE BINARY LOGS TO 'bin.000002'"], "position": "none", "st": [LAST]}),
    ("purged before gtid", ALL, ALL, {"session": [ONE, "FLUSH LOGS", "PURGE BINARY LOGS TO 'bin.000002'"], "position": "gtid", "st": [LAST]}),
    ("reset", ALL, ALL, {"st": [ONE, "RESET MASTER", LAST]}),
    ("reset new words", (M97,), ALL, {"st": [ONE, "RESET BINARY LOGS AND GTIDS", LAST]}),
    ("reset none", (*MARIA, M56), ALL, {"st": [ONE, "RESET MASTER", LAST], "position": "none"}),
    ("purge nothing", ALL, ALL, {"st": [ONE, "PURGE BINARY LOGS BEFORE '2001-01-01 00:00:00'", LAST]}),
    ("gtid_purged of the source", (M97,), ALL, {"session": [f"SET GLOBAL gtid_purged='{UUID}:1-7'"], "position": "gtid"}),
    ("gtid_purged of the source, file", (M97,), ALL, {"session": [f"SET GLOBAL gtid_purged='{UUID}:1-7'"]}),
    ("gtid_purged of both", (M97,), (M97,), {"session": [f"SET GLOBAL gtid_purged='{UUID}:1-7'"], "rsession": [f"SET GLOBAL gtid_purged='{UUID}:1-9'"], "position": "gtid"}),
    ("gtid_purged of the replica", ALL, (M97,), {"rsession": [f"SET GLOBAL gtid_purged='{UUID}:1-7'"]}),
    ("gtid_purged of the replica gtid", (M97,), (M97,), {"rsession": [f"SET GLOBAL gtid_purged='{UUID}:1-7'"], "position": "gtid"}),
    ("gtid_slave_pos ahead", MARIA, MARIA, {"rsession": ["SET GLOBAL gtid_slave_pos='0-1-500'"], "position": "gtid"}),
    ("gtid_slave_pos of a domain", MARIA, MARIA, {"rsession": ["SET GLOBAL gtid_slave_pos='7-1-5'"], "position": "gtid"}),
    ("gtid_slave_pos file", ALL, MARIA, {"rsession": ["SET GLOBAL gtid_slave_pos='0-1-500'"]}),
    ("gtid_slave_pos ahead strict", MARIA, MARIA, {"rsession": ["SET GLOBAL gtid_slave_pos='0-1-500'"], "position": "gtid", "rs": {"gtid_strict_mode": 1}}),
    ("gtid_binlog_state", MARIA, ALL, {"session": ["SET GLOBAL gtid_binlog_state='0-9-50'"]}),
    ("current_pos", MARIA, MARIA, {"ch": {"MASTER_USE_GTID": "current_pos"}}),
    ("domain ignored", MARIA, MARIA, {"ch": {"IGNORE_DOMAIN_IDS": "(0)"}, "position": "gtid"}),
    ("domain ignored file", MARIA, MARIA, {"ch": {"IGNORE_DOMAIN_IDS": "(0)"}}),
    ("domains wanted", MARIA, MARIA, {"ch": {"DO_DOMAIN_IDS": "(3,4)"}, "position": "gtid"}),
    ("other domain ignored", MARIA, MARIA, {"ch": {"IGNORE_DOMAIN_IDS": "(8)"}, "position": "gtid"}),
    ("first event's position", ALL, ALL, {"ch": {"_LOG_POS": 4, "_LOG_FILE": "bin.000001"}}),
    ("position beyond", ALL, ALL, {"ch": {"_LOG_POS": 99999999}}),
    ("position 1", ALL, ALL, {"ch": {"_LOG_POS": 1, "_LOG_FILE": "bin.000001"}}),
    ("no such log", ALL, ALL, {"ch": {"_LOG_FILE": "bin.000077"}}),
    ("other log's name", ALL, ALL, {"ch": {"_LOG_FILE": "mysqld-bin.000001"}}),
    # what the replica leaves out
    ("skip counter", ALL, (M56, *MARIA), {"rs": {"sql_slave_skip_counter": 1}}),
    ("skip counter new word", ALL, (M97,), {"rs": {"sql_replica_skip_counter": 1}}),
    ("skip two", ALL, (M56, *MARIA), {"rs": {"sql_slave_skip_counter": 2}, "st": [ONE, "CREATE TABLE n (a INT PRIMARY KEY)", LAST]}),
    ("do_db another", ALL, MARIA, {"rs": {"replicate_do_db": "other"}}),
    ("do_db d", ALL, MARIA, {"rs": {"replicate_do_db": "d"}, "st": [ONE, *X5, LAST]}),
    ("ignore_db", ALL, MARIA, {"rs": {"replicate_ignore_db": "d"}}),
    ("ignore_db d5", ALL, MARIA, {"rs": {"replicate_ignore_db": "d5"}, "st": [*X5, ONE]}),
    ("do_table", ALL, MARIA, {"rs": {"replicate_do_table": "d.u"}, "tables": [*T, U], "st": [ONE, "INSERT INTO u VALUES (1,'q')"]}),
    ("ignore_table", ALL, MARIA, {"rs": {"replicate_ignore_table": "d.t"}, "tables": [*T, U], "st": [ONE, "INSERT INTO u VALUES (1,'q')"]}),
    ("wild_do_table", ALL, MARIA, {"rs": {"replicate_wild_do_table": "d.%"}, "st": [*X5, ONE]}),
    ("wild_ignore_table", ALL, MARIA, {"rs": {"replicate_wild_ignore_table": "d5.%"}, "st": [*X5, ONE]}),
    ("wild ignored name", ALL, MARIA, {"rs": {"replicate_wild_ignore_table": "d.n%"}, "st": ["CREATE TABLE n (a INT PRIMARY KEY)", "INSERT INTO n VALUES (1)", ONE]}),
    ("rewrite", ALL, (D11,), {"rs": {"replicate_rewrite_db": "d->e"}, "rsession": ["CREATE DATABASE e"]}),
    ("start do_db", ALL, ALL, {"rs": {"--replicate-do-db": "d"}, "st": [ONE, *X5, "USE d5", "INSERT INTO d.t VALUES (7,'o','o')"]}),
    ("start ignore_table", ALL, ALL, {"rs": {"--replicate-ignore-table": "d.u"}, "tables": [*T, U], "st": [ONE, "INSERT INTO u VALUES (1,'q')", "UPDATE t SET v='w'"]}),
    ("start wild", ALL, ALL, {"rs": {"--replicate-wild-do-table": "d.t%"}, "tables": [*T, U], "st": [ONE, "INSERT INTO u VALUES (1,'q')"]}),
    ("start rewrite", ALL, ALL, {"rs": {"--replicate-rewrite-db": "d->e"}, "rsession": ["CREATE DATABASE e"]}),
    ("source do_db", ALL, ALL, {"ss": {"--binlog-do-db": "other"}}),
    ("source do_db d", ALL, ALL, {"ss": {"--binlog-do-db": "d"}, "st": [ONE, *X5, LAST]}),
    ("source ignore_db", ALL, ALL, {"ss": {"--binlog-ignore-db": "d"}}),
    ("skip_replication", MARIA, MARIA, {"st": [ONE, "SET SESSION skip_replication=1", LAST, "SET SESSION skip_replication=0", "UPDATE t SET v='q'"], "rs": {"replicate_events_marked_for_skip": "FILTER_ON_SLAVE"}}),
    ("skip_replication at the source", MARIA, MARIA, {"st": [ONE, "SET SESSION skip_replication=1", LAST], "rs": {"replicate_events_marked_for_skip": "FILTER_ON_MASTER"}}),
    ("skip_replication elsewhere", MARIA, MY, {"st": [ONE, "SET SESSION skip_replication=1", LAST]}),
    ("sql_log_bin between", ALL, ALL, {"st": [ONE, "SET SESSION sql_log_bin=0", "INSERT INTO t VALUES (2,'u','u')", "SET SESSION sql_log_bin=1", "UPDATE t SET v='w'", "DELETE FROM t WHERE id=2"]}),
    ("sql_log_bin and a table", ALL, ALL, {"st": ["SET SESSION sql_log_bin=0", "CREATE TABLE n (a INT PRIMARY KEY)", "SET SESSION sql_log_bin=1", "INSERT INTO n VALUES (1)"]}),
    ("sql_log_bin and a drop", ALL, ALL, {"st": [ONE, "SET SESSION sql_log_bin=0", "DROP TABLE t", "SET SESSION sql_log_bin=1", "CREATE TABLE t (x INT PRIMARY KEY)"]}),
    # settings of a session between its statements
    ("format between", (*MY, *MARIA), ALL, {"ss": {"binlog_format": "STATEMENT"}, "st": [ONE, "SET SESSION binlog_format=ROW", "UPDATE t SET v=LEFT(UUID(),9)", "SET SESSION binlog_format=MIXED", LAST]}),
    ("image between", ALL, ALL, {"ss": {"binlog_format": "ROW"}, "st": [ONE, "SET SESSION binlog_row_image=MINIMAL", "UPDATE t SET v='q'", "SET SESSION binlog_row_image=NOBLOB", "UPDATE t SET v='r'", "DELETE FROM t"]}),
    ("checksum between", ALL, ALL, {"st": [ONE, "SET GLOBAL binlog_checksum=NONE", LAST, "SET GLOBAL binlog_checksum=CRC32", "UPDATE t SET v='q'"]}),
    ("rotation between", ALL, ALL, {"st": [ONE, "FLUSH BINARY LOGS", "FLUSH BINARY LOGS", LAST, "FLUSH BINARY LOGS"]}),
    ("zone between", ALL, ALL, {"tables": ["CREATE TABLE t (id INT PRIMARY KEY, ts TIMESTAMP NULL, dt DATETIME)"], "st": ["SET time_zone='+03:00'", "INSERT INTO t VALUES (1,'2020-01-01 00:00:00',NOW())", "SET time_zone='-08:00'", "INSERT INTO t SELECT 2, ts, ts FROM t"]}),
    ("modes between", ALL, ALL, {"st": ["SET sql_mode='ANSI_QUOTES,PIPES_AS_CONCAT'", "INSERT INTO \"t\" VALUES (1,'a'||'b','c')", "SET sql_mode='NO_BACKSLASH_ESCAPES'", "INSERT INTO t VALUES (2,'a\\b','c')", "SET sql_mode=''", "INSERT INTO t VALUES (3,REPEAT('x',40),'c')"]}),
    ("names between", ALL, ALL, {"st": [ONE, "SET NAMES latin1", "INSERT INTO t VALUES (2,'abc','d')", "SET NAMES utf8mb4 COLLATE utf8mb4_bin", LAST]}),
    ("connection collation between", ALL, ALL, {"st": ["SET collation_connection=utf8mb4_unicode_ci", ONE, "CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(9))", "CREATE VIEW w AS SELECT 'a' x"]}),
    ("server id of the replica", MARIA, ALL, {"st": [ONE, "SET SESSION server_id=%REPLICA%", LAST]}),
    ("domain between", MARIA, ALL, {"st": [ONE, "SET SESSION gtid_domain_id=5", LAST, "UPDATE t SET v='q'"]}),
    ("seq goes back", MARIA, ALL, {"st": ["SET SESSION gtid_seq_no=100", ONE, "SET SESSION gtid_seq_no=50", LAST]}),
    ("gtid_next", (M97,), ALL, {"st": [f"SET gtid_next='{UUID}:5'", ONE, "SET gtid_next='AUTOMATIC'", LAST]}),
    ("gtid_next empty", (M97,), ALL, {"st": [f"SET gtid_next='{UUID}:5'", "BEGIN", "COMMIT", "SET gtid_next='AUTOMATIC'", LAST]}),
    ("gtid_next tagged", (M97,), ALL, {"st": [ONE, "SET gtid_next='AUTOMATIC:tag1'", LAST]}),
    ("timestamp", ALL, ALL, {"tables": ["CREATE TABLE t (id INT PRIMARY KEY, ts TIMESTAMP(6) NULL, dt DATETIME(6))"], "st": ["SET timestamp=1600000000.123456", "INSERT INTO t VALUES (1,NOW(6),NOW())", "SET timestamp=DEFAULT", "INSERT INTO t VALUES (2,NOW(),SYSDATE() IS NULL)"]}),
    ("insert_id between", ALL, ALL, {"tables": ["CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(9))"], "st": ["SET insert_id=50", "INSERT INTO t (v) VALUES ('a'),('b')", "SET last_insert_id=9", "INSERT INTO t (v) VALUES (LAST_INSERT_ID())"]}),
    ("checks between", ALL, ALL, {"tables": ["CREATE TABLE p (id INT PRIMARY KEY)", "CREATE TABLE t (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id))"], "st": ["SET foreign_key_checks=0", "INSERT INTO t VALUES (1,7)", "SET foreign_key_checks=1", "INSERT INTO p VALUES (2)", "INSERT INTO t VALUES (2,2)"]}),
    ("isolation between", ALL, ALL, {"ss": {"binlog_format": "ROW"}, "st": ["SET TRANSACTION ISOLATION LEVEL READ COMMITTED", ONE, "SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED", "UPDATE t SET v='q'", "START TRANSACTION READ WRITE", LAST, "COMMIT"]}),
    ("compression between", (M97,), ALL, {"ss": {"binlog_format": "ROW"}, "st": [ONE, "SET SESSION binlog_transaction_compression=1", BIG.replace("(1,", "(1001,")]}),
    ("key generation between", (M97,), ALL, {"st": ["SET SESSION sql_generate_invisible_primary_key=1", "CREATE TABLE n (a INT)", "INSERT INTO n VALUES (1)", "UPDATE n SET a=2"]}),
    ("default collation between", (M97,), ALL, {"st": ["SET SESSION default_collation_for_utf8mb4=utf8mb4_general_ci", "CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(9)) CHARSET utf8mb4", "INSERT INTO n VALUES (1,'A')", "UPDATE n SET v='b' WHERE v='a'"]}),
    ("character_set_collations between", (D11,), ALL, {"st": ["SET SESSION character_set_collations='utf8mb4=utf8mb4_bin'", "CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(9)) CHARSET utf8mb4", "INSERT INTO n VALUES (1,'A')"]}),
    ("rows query between", (M97, M56), ALL, {"ss": {"binlog_format": "ROW"}, "st": ["SET SESSION binlog_rows_query_log_events=1", ONE, "UPDATE t SET v='q'"]}),
    ("annotate between", MARIA, ALL, {"ss": {"binlog_format": "ROW"}, "st": ["SET SESSION binlog_annotate_row_events=1", ONE, "SET SESSION binlog_annotate_row_events=0", LAST]}),
    ("partial json between", (M97,), ALL, {"ss": {"binlog_format": "ROW"}, "tables": ["CREATE TABLE t (id INT PRIMARY KEY, j JSON)"], "st": ["INSERT INTO t VALUES (1,'{\"a\":\"aaaaaaaaaaaaaaaaaaaaaaaaa\"}')", "SET SESSION binlog_row_value_options=PARTIAL_JSON", "UPDATE t SET j=JSON_SET(j,'$.a','b')"]}),
    ("partial json minimal", (M97,), ALL, {"ss": {"binlog_format": "ROW", "binlog_row_image": "MINIMAL", "binlog_row_value_options": "PARTIAL_JSON"}, "tables": ["CREATE TABLE t (id INT PRIMARY KEY, j JSON, v INT)"], "st": ["INSERT INTO t VALUES (1,'{\"a\":\"aaaaaaaaaaaaaaaaaaaaaaaaa\"}',1)", "UPDATE t SET j=JSON_REPLACE(j,'$.a','b')", "UPDATE t SET v=2", "DELETE FROM t"]}),
    ("partial json full insert only", (M97,), ALL, {"ss": {"binlog_format": "ROW", "binlog_row_value_options": "PARTIAL_JSON"}, "tables": ["CREATE TABLE t (id INT PRIMARY KEY, v INT)"], "st": ["INSERT INTO t VALUES (1,1)", "DELETE FROM t"]}),
    ("immediate version", (M97,), ALL, {"st": ["SET SESSION original_commit_timestamp=1000", ONE]}),
    ("explicit between", ALL, ALL, {"st": ["SET SESSION explicit_defaults_for_timestamp=0", "CREATE TABLE n (a INT PRIMARY KEY, ts TIMESTAMP)", "SET SESSION explicit_defaults_for_timestamp=1", "CREATE TABLE m (a INT PRIMARY KEY, ts TIMESTAMP)", "INSERT INTO n (a) VALUES (1)", "INSERT INTO m (a) VALUES (1)"]}),
    ("set statement", MARIA, ALL, {"st": ["SET STATEMENT max_statement_time=10 FOR INSERT INTO t VALUES (1,'a','b')", "SET STATEMENT sql_mode='' FOR INSERT INTO t VALUES (2,REPEAT('y',50),'b')", "SET STATEMENT gtid_domain_id=4 FOR INSERT INTO t VALUES (3,'c','c')"]}),
    ("set_var hint", (M97,), ALL, {"st": ["INSERT /*+ SET_VAR(sql_mode='') */ INTO t VALUES (1,REPEAT('x',50),'b')", "INSERT /*+ SET_VAR(foreign_key_checks=OFF) */ INTO t VALUES (2,'a','b')"]}),
    # sizes and caches
    ("cache of the replica", ALL, ALL, {"rs": {"max_binlog_cache_size": 4096, "binlog_cache_size": 4096}, "st": ["BEGIN", BIG, "UPDATE t SET v='q'", "COMMIT"]}),
    ("stmt cache of the replica", ALL, ALL, {"rs": {"max_binlog_stmt_cache_size": 4096, "binlog_stmt_cache_size": 4096}, "tables": [T[0].replace("InnoDB", "MyISAM")], "st": [BIG, LAST.replace("99", "999")]}),
    ("small logs", ALL, ALL, {"ss": {"max_binlog_size": 4096}, "st": [BIG, "UPDATE t SET v='q'", "DELETE FROM t"]}),
    ("small relay logs", ALL, ALL, {"rs": {"max_relay_log_size": 4096}, "st": [BIG, "UPDATE t SET v='q'", "DELETE FROM t"]}),
    ("relay log space", ALL, ALL, {"rs": {"--relay-log-space-limit": "20000"}, "st": [BIG, "UPDATE t SET v='q'"]}),
    ("row event size", ALL, ALL, {"ss": {"binlog_row_event_max_size": 512, "binlog_format": "ROW"}, "st": [BIG, "UPDATE t SET v='q'"]}),
    ("replica packet", ALL, (M56, *MARIA), {"rs": {"slave_max_allowed_packet": 1024}, "st": [ONE, BIG, LAST.replace("99", "999")]}),
    ("replica packet new word", ALL, (M97,), {"rs": {"replica_max_allowed_packet": 1024}, "st": [ONE, BIG, LAST.replace("99", "999")]}),
    # the channel
    ("delay", ALL, ALL, {"ch": {"_DELAY": 1}}),
    ("long delay", ALL, ALL, {"ch": {"_DELAY": 3}}),
    ("heartbeat", ALL, ALL, {"ch": {"_HEARTBEAT_PERIOD": 1}}),
    ("no heartbeat", ALL, ALL, {"ch": {"_HEARTBEAT_PERIOD": 0}}),
    ("heartbeat too long", ALL, ALL, {"ch": {"_HEARTBEAT_PERIOD": 5000000}}),
    ("bind", ALL, ALL, {"ch": {"_BIND": "127.0.0.1"}}),
    ("bind elsewhere", ALL, MY, {"ch": {"_BIND": "127.0.0.9"}}),
    ("another host", ALL, ALL, {"ch": {"_HOST": "localhost"}}),
    ("retries", ALL, (*MY, D11), {"ch": {"_RETRY_COUNT": 2, "_CONNECT_RETRY": 1}}),
    ("no such file of certificates", ALL, ALL, {"ch": {"_SSL": 1, "_SSL_CA": "/nosuch/ca.pem"}}),
    ("ciphers", NEW, ALL, {"ch": {"_SSL": 1, "_SSL_CIPHER": "AES256-SHA"}}),
    ("unknown cipher", NEW, ALL, {"ch": {"_SSL": 1, "_SSL_CIPHER": "NOSUCH"}}),
    ("tls 1.3", ALL, (M97,), {"ch": {"_SSL": 1, "_TLS_VERSION": "TLSv1.3"}}),
    ("tls 1.2", ALL, (M97,), {"ch": {"_SSL": 1, "_TLS_VERSION": "TLSv1.2"}}),
    ("tls 1.0", ALL, (M97,), {"ch": {"_SSL": 1, "_TLS_VERSION": "TLSv1"}}),
    ("tls_version of the source", (M97, D11), ALL, {"ss": {"--tls-version": "TLSv1.3"}}),
    ("tls_version 1.2 of the source", (M97, D11), ALL, {"ss": {"--tls-version": "TLSv1.2"}}),
    ("tls_version apart", (M97, D11), (M97,), {"ss": {"--tls-version": "TLSv1.2"}, "ch": {"_SSL": 1, "_TLS_VERSION": "TLSv1.3"}}),
    ("no tls at the source", (M97, D11), ALL, {"ss": {"--skip-ssl": ""}}),
    ("require_row_format", ALL, (M97,), {"ch": {"REQUIRE_ROW_FORMAT": 1}}),
    ("require_row_format and a temporary table", ALL, (M97,), {"ch": {"REQUIRE_ROW_FORMAT": 1}, "st": ["CREATE TEMPORARY TABLE tt (a INT)", "INSERT INTO tt VALUES (5)", "INSERT INTO t SELECT a,'q','q' FROM tt"]}),
    ("primary key check generate", ALL, (M97,), {"ch": {"REQUIRE_TABLE_PRIMARY_KEY_CHECK": "GENERATE"}, "st": ["CREATE TABLE n (a INT)", "INSERT INTO n VALUES (1)", "UPDATE n SET a=2"]}),
    ("primary key check on", ALL, (M97,), {"ch": {"REQUIRE_TABLE_PRIMARY_KEY_CHECK": "ON"}, "st": [ONE, "CREATE TABLE n (a INT)", "INSERT INTO n VALUES (1)"]}),
    ("assigned local", ALL, (M97,), {"ch": {"ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS": "LOCAL"}, "rs": {"gtid_mode": "ON"}}),
    ("gtid only", (M97,), (M97,), {"ch": {"GTID_ONLY": 1}, "position": "gtid"}),
    ("compression algorithms", ALL, (M97,), {"ch": {"_COMPRESSION_ALGORITHMS": "zlib"}}),
    ("ignored ids", ALL, ALL, {"ch": {"IGNORE_SERVER_IDS": "(3,4)"}}),
    ("source's id ignored", ALL, ALL, {"ch": {"IGNORE_SERVER_IDS": "(%SOURCE%)"}}),
    ("demote", MARIA, (D10, D11), {"ch": {"MASTER_DEMOTE_TO_SLAVE": 1}, "position": "gtid"}),
    # workers
    ("workers", ALL, (M56,), {"rs": {"slave_parallel_workers": 4}, "st": [ONE, *X5, LAST]}),
    ("workers of 9.7", ALL, (M97,), {"rs": {"replica_parallel_workers": 8, "replica_preserve_commit_order": 1}, "st": [ONE, *X5, LAST]}),
    ("no workers", ALL, (M97,), {"rs": {"replica_parallel_workers": 0}, "st": [ONE, *X5, LAST]}),
    ("one worker fails", ALL, (M97,), {"rs": {"replica_parallel_workers": 3}, "rsession": ["INSERT INTO d.t VALUES (99,'r','r')"], "st": [ONE, LAST, "UPDATE t SET v='q' WHERE id=1"]}),
    ("threads", ALL, MARIA, {"rs": {"slave_parallel_threads": 4, "slave_parallel_mode": "optimistic"}, "st": [ONE, *X5, LAST]}),
    ("threads fail", ALL, MARIA, {"rs": {"slave_parallel_threads": 4}, "rsession": ["INSERT INTO d.t VALUES (99,'r','r')"], "st": [ONE, LAST, "UPDATE t SET v='q' WHERE id=1"]}),
    ("group commit of the source", ALL, ALL, {"ss": {"binlog_group_commit_sync_delay": 1000}, "st": [ONE, LAST]}),
    ("retries of a transaction", ALL, (M56, *MARIA), {"rs": {"slave_transaction_retries": 0, "innodb_lock_wait_timeout": 1}}),
    # semi-synchronous
    ("semisync of both", MARIA, MARIA, {"ss": {"rpl_semi_sync_master_enabled": 1, "rpl_semi_sync_master_timeout": 50}, "rs": {"rpl_semi_sync_slave_enabled": 1}}),
    ("semisync of the source", MARIA, ALL, {"ss": {"rpl_semi_sync_master_enabled": 1, "rpl_semi_sync_master_timeout": 50}}),
    ("semisync of the replica", ALL, MARIA, {"rs": {"rpl_semi_sync_slave_enabled": 1}}),
    ("semisync after sync", MARIA, MARIA, {"ss": {"rpl_semi_sync_master_enabled": 1, "rpl_semi_sync_master_wait_point": "AFTER_SYNC", "rpl_semi_sync_master_timeout": 50}, "rs": {"rpl_semi_sync_slave_enabled": 1}}),
    # what the replica's session does
    ("init_slave log off", ALL, (M56, *MARIA), {"rs": {"init_slave": "SET SESSION sql_log_bin=0"}}),
    ("init_slave fails", ALL, (M56, *MARIA), {"rs": {"init_slave": "SELECT nosuch()"}}),
    ("init_replica fails", ALL, (M97,), {"rs": {"init_replica": "SELECT nosuch()"}}),
    ("init_slave writes", ALL, (M56, *MARIA), {"rs": {"init_slave": "INSERT INTO d.t VALUES (55,'i','i')"}}),
    ("read_only replica", ALL, ALL, {"rs": {"read_only": 1}, "st": [ONE, *X5, "CREATE USER g1@localhost"]}),
    ("locked replica", ALL, ALL, {"rsession": ["ALTER TABLE d.t ADD UNIQUE KEY k (v)"], "st": [ONE, "UPDATE t SET v='q'", "INSERT INTO t VALUES (2,'z','z')"]}),
    ("unique on the replica", ALL, ALL, {"rsession": ["ALTER TABLE d.t ADD UNIQUE KEY k (v)"], "st": [ONE, "INSERT INTO t VALUES (2,'a','z')"]}),
    ("longer on the replica", ALL, ALL, {"rsession": ["ALTER TABLE d.t MODIFY v VARCHAR(200)"], "st": [ONE, LAST]}),
    ("shorter on the replica", ALL, ALL, {"rsession": ["ALTER TABLE d.t MODIFY v VARCHAR(5)"], "st": [ONE, "UPDATE t SET v='much longer'"]}),
    ("bigint on the replica", ALL, ALL, {"rsession": ["ALTER TABLE d.t MODIFY id BIGINT"], "st": [ONE, LAST]}),
    ("column more there", ALL, ALL, {"rsession": ["ALTER TABLE d.t ADD z INT DEFAULT 4"], "st": [ONE, "UPDATE t SET v='q'"]}),
    ("columns the other way", ALL, ALL, {"rsession": ["ALTER TABLE d.t MODIFY b BLOB AFTER id"], "st": [ONE]}),
    # options at the start
    ("start read only", ALL, ALL, {"rs": {"--read-only": "1"}}),
    ("start lower case", (D5, D10, D11, M56), (D5, D10, D11, M56), {"rs": {"--lower-case-table-names": "1"}, "st": ["CREATE TABLE Nn (A INT PRIMARY KEY)", "INSERT INTO Nn VALUES (1)", ONE]}),
    ("start lower case of both", (D5, D10, D11, M56), (D5, D10, D11, M56), {"ss": {"--lower-case-table-names": "1"}, "rs": {"--lower-case-table-names": "1"}, "st": ["CREATE TABLE Nn (A INT PRIMARY KEY)", "INSERT INTO NN VALUES (1)", ONE]}),
    ("start lower case of the source", (D5, D10, D11, M56), ALL, {"ss": {"--lower-case-table-names": "1"}, "st": ["CREATE TABLE Nn (A INT PRIMARY KEY)", "INSERT INTO NN VALUES (1)", ONE]}),
    ("start charset", ALL, ALL, {"rs": {"--character-set-server": "latin2"}, "st": [*X5, "CREATE TABLE n (v VARCHAR(9) PRIMARY KEY)", "INSERT INTO n VALUES ('a')"]}),
    ("start no updates", ALL, ALL, {"rs": {"--log-slave-updates": "0"}, "ss": {"binlog_format": "ROW"}}),
    ("start server id", ALL, ALL, {"rs": {"--server-id": "%SOURCE%"}}),
    ("start repository", ALL, (M56,), {"rs": {"--relay-log-info-repository": "TABLE", "--master-info-repository": "TABLE", "--relay-log-recovery": "1"}}),
    ("start event scheduler", ALL, ALL, {"rs": {"--event-scheduler": "1"}, "st": ["CREATE EVENT e ON SCHEDULE EVERY 1 SECOND DO INSERT INTO d.t VALUES (NULL,'e','e')", ONE]}),
    ("start disabled engines", ALL, (M97,), {"rs": {"--disabled-storage-engines": "MyISAM,MEMORY"}, "st": ["CREATE TABLE n (a INT PRIMARY KEY) ENGINE=MEMORY", ONE]}),
    ("start zone", ALL, ALL, {"rs": {"--default-time-zone": "+07:00"}, "tables": ["CREATE TABLE t (id INT PRIMARY KEY, ts TIMESTAMP NULL, dt DATETIME)"], "st": ["INSERT INTO t VALUES (1,'2020-01-01',NOW())", "UPDATE t SET dt=ts"]}),
    ("start same ids", ALL, ALL, {"rs": {"--server-id": "%SOURCE%", "--replicate-same-server-id": "1", "--log-slave-updates": "0"}}),
    ("start skip errors", ALL, ALL, {"rs": {"--slave-skip-errors": "1062,1032"}, "rsession": ["INSERT INTO d.t VALUES (1,'r','r')"], "st": [ONE, "DELETE FROM t WHERE id=1", LAST]}),
    ("start bind address", ALL, ALL, {"ss": {"--bind-address": "127.0.0.1,::1"}}),
    ("start no gtid consistency", ALL, (M97,), {"rs": {"--enforce-gtid-consistency": "0", "--gtid-mode": "OFF"}}),
    ("start old row events", (M56,), ALL, {"ss": {"--log-bin-use-v1-row-events": "1", "binlog_format": "ROW"}}),
    ("start log_bin off", ALL, ALL, {"ss": {"--skip-log-bin": ""}}),
    # modes of old
    ("old_mode of the replica", ALL, (D10, D11), {"rs": {"old_mode": ""}, "st": ["CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(9)) CHARSET utf8", "INSERT INTO n VALUES (1,'ä')"]}),
    ("old_mode of the source", (D10, D11), ALL, {"ss": {"old_mode": ""}, "st": ["CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(9)) CHARSET utf8", "INSERT INTO n VALUES (1,'😀')", "INSERT INTO n VALUES (2,'ä')"]}),
    ("semi-consistent", MARIA, ALL, {"ss": {"innodb_snapshot_isolation": 0}}),
    ("verified", ALL, (M56, *MARIA), {"rs": {"slave_sql_verify_checksum": 1}, "ss": {"master_verify_checksum": 1}}),
    ("unverified", ALL, ALL, {"ss": {"binlog_checksum": "NONE"}, "rs": {"binlog_checksum": "CRC32"}, "st": [BIG, "FLUSH LOGS", "UPDATE t SET v='q'"]}),
)  # fmt: skip
#: (name, sources, statements on accounts)
ACCOUNTS: tuple[tuple[str, tuple[str, ...], list[str]], ...] = (
    ("native", ALL, ["CREATE USER g1@localhost IDENTIFIED WITH mysql_native_password"]),
    ("native via", MARIA, ["CREATE USER g1@localhost IDENTIFIED VIA mysql_native_password USING PASSWORD('x')"]),
    ("two plugins", MARIA, ["CREATE USER g1@localhost IDENTIFIED VIA unix_socket OR mysql_native_password USING PASSWORD('x')"]),
    ("ed25519", MARIA, ["CREATE USER g1@localhost IDENTIFIED VIA ed25519 USING PASSWORD('x')"]),
    ("sha2", (M97,), ["CREATE USER g1@localhost IDENTIFIED WITH caching_sha2_password BY 'x'"]),
    ("socket", (M97, *MARIA), ["CREATE USER g1@localhost IDENTIFIED WITH auth_socket"]),
    ("no password", ALL, ["CREATE USER g1@localhost", "GRANT SELECT ON d.t TO g1@localhost", "DROP USER g1@localhost"]),
    ("granted away", (M56, *MARIA), ["GRANT SELECT ON d.* TO g1@localhost IDENTIFIED BY 'x'", "SET PASSWORD FOR g1@localhost = PASSWORD('y')"]),
    ("usage", (M56, *MARIA), ["GRANT USAGE ON *.* TO g1@localhost"]),
    ("locked", NEW, ["CREATE USER g1@localhost ACCOUNT LOCK", "ALTER USER g1@localhost ACCOUNT UNLOCK"]),
    ("expires", NEW, ["CREATE USER g1@localhost PASSWORD EXPIRE INTERVAL 30 DAY", "ALTER USER g1@localhost PASSWORD EXPIRE NEVER"]),
    ("history", (M97,), ["CREATE USER g1@localhost PASSWORD HISTORY 3 PASSWORD REUSE INTERVAL 9 DAY"]),
    ("failed logins", (M97,), ["CREATE USER g1@localhost IDENTIFIED BY 'x' FAILED_LOGIN_ATTEMPTS 3 PASSWORD_LOCK_TIME 2"]),
    ("comment", (M97,), ["CREATE USER g1@localhost COMMENT 'c'", "ALTER USER g1@localhost ATTRIBUTE '{\"a\":1}'"]),
    ("random", (M97,), ["CREATE USER g1@localhost IDENTIFIED BY RANDOM PASSWORD"]),
    ("limits", ALL, ["CREATE USER g1@localhost", "GRANT USAGE ON *.* TO g1@localhost WITH MAX_QUERIES_PER_HOUR 5"]),
    ("limits alter", NEW, ["CREATE USER g1@localhost WITH MAX_USER_CONNECTIONS 3", "ALTER USER g1@localhost REQUIRE SSL WITH MAX_QUERIES_PER_HOUR 9"]),
    ("require", NEW, ["CREATE USER g1@localhost REQUIRE X509", "ALTER USER g1@localhost REQUIRE NONE"]),
    ("role", NEW, ["CREATE ROLE ro1", "GRANT SELECT ON d.* TO ro1", "CREATE USER g1@localhost", "GRANT ro1 TO g1@localhost", "SET DEFAULT ROLE ro1 TO g1@localhost"]),
    ("role for", MARIA, ["CREATE ROLE ro1", "CREATE USER g1@localhost", "GRANT ro1 TO g1@localhost", "SET DEFAULT ROLE ro1 FOR g1@localhost"]),
    ("role dropped", NEW, ["CREATE ROLE ro1, ro2", "DROP ROLE ro1", "DROP ROLE IF EXISTS ro1, ro2"]),
    ("role admin", (M97,), ["CREATE ROLE ro1", "CREATE USER g1@localhost", "GRANT ro1 TO g1@localhost WITH ADMIN OPTION", "REVOKE ro1 FROM g1@localhost"]),
    ("dynamic", (M97,), ["CREATE USER g1@localhost", "GRANT BACKUP_ADMIN, SYSTEM_USER ON *.* TO g1@localhost"]),
    ("own privileges", MARIA, ["CREATE USER g1@localhost", "GRANT BINLOG MONITOR, READ_ONLY ADMIN ON *.* TO g1@localhost"]),
    ("history privilege", MARIA, ["CREATE USER g1@localhost", "GRANT DELETE HISTORY ON d.* TO g1@localhost"]),
    ("show create routine", (D11,), ["CREATE USER g1@localhost", "GRANT SHOW CREATE ROUTINE ON d.* TO g1@localhost"]),
    ("super", ALL, ["CREATE USER g1@localhost", "GRANT SUPER ON *.* TO g1@localhost"]),
    ("replication client", ALL, ["CREATE USER g1@localhost", "GRANT REPLICATION CLIENT, REPLICATION SLAVE ON *.* TO g1@localhost"]),
    ("all", ALL, ["CREATE USER g1@localhost", "GRANT ALL PRIVILEGES ON *.* TO g1@localhost WITH GRANT OPTION"]),
    ("proxy", ALL, ["CREATE USER g1@localhost, g2@localhost", "GRANT PROXY ON g1@localhost TO g2@localhost"]),
    ("public", (D11,), ["GRANT SELECT ON d.* TO PUBLIC", "REVOKE SELECT ON d.* FROM PUBLIC"]),
    ("on a procedure", ALL, ["CREATE PROCEDURE p() SELECT 1", "CREATE USER g1@localhost", "GRANT EXECUTE ON PROCEDURE d.p TO g1@localhost"]),
    ("of a table that is not there", ALL, ["CREATE USER g1@localhost", "GRANT CREATE ON d.nosuch TO g1@localhost"]),
    ("renamed", ALL, ["CREATE USER g1@localhost", "RENAME USER g1@localhost TO g4@'10.%'"]),
    ("if exists", NEW, ["CREATE USER IF NOT EXISTS g1@localhost", "DROP USER IF EXISTS g1@localhost, g9@localhost", "ALTER USER IF EXISTS g9@localhost ACCOUNT LOCK"]),
    ("or replace", MARIA, ["CREATE OR REPLACE USER g1@localhost IDENTIFIED BY 'x'"]),
    ("revoke if exists", (M97,), ["CREATE USER g1@localhost", "REVOKE IF EXISTS SELECT ON d.* FROM g1@localhost IGNORE UNKNOWN USER"]),
    ("partial", (M97,), ["CREATE USER g1@localhost", "GRANT SELECT ON *.* TO g1@localhost AS root@localhost"]),
    ("password hash", ALL, ["CREATE USER g1@localhost IDENTIFIED BY PASSWORD '*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19'"]),
    ("alter own", NEW, ["CREATE USER g1@localhost IDENTIFIED BY 'x'", "ALTER USER g1@localhost IDENTIFIED BY 'y'", "SET PASSWORD FOR g1@localhost = 'z'"]),
    ("retained", (M97,), ["CREATE USER g1@localhost IDENTIFIED BY 'x'", "ALTER USER g1@localhost IDENTIFIED BY 'y' RETAIN CURRENT PASSWORD", "ALTER USER g1@localhost DISCARD OLD PASSWORD"]),
    ("function of the system", ALL, ["INSTALL PLUGIN nosuch SONAME 'nosuch.so'", "DROP FUNCTION IF EXISTS nosuchudf"]),
    ("server", ALL, ["CREATE SERVER s1 FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1', DATABASE 'd')", "DROP SERVER s1"]),
    ("tablespace", MY, ["CREATE TABLESPACE ts1 ADD DATAFILE 'ts1.ibd' ENGINE=InnoDB", "DROP TABLESPACE ts1"]),
    ("sequence", MARIA, ["CREATE SEQUENCE s1 START 5", "INSERT INTO t VALUES (NEXT VALUE FOR s1,'s','s')", "ALTER SEQUENCE s1 RESTART 50", "DROP SEQUENCE s1"]),
    ("package", MARIA, ["SET sql_mode=ORACLE", "CREATE PACKAGE pk AS PROCEDURE p; END", "DROP PACKAGE pk"]),
    ("spatial reference", (M97,), ["CREATE SPATIAL REFERENCE SYSTEM 990001 NAME 'x' DEFINITION 'GEOGCS[\"x\",DATUM[\"x\",SPHEROID[\"x\",6378137,298.25]],PRIMEM[\"G\",0],UNIT[\"d\",0.017453292519943278],AXIS[\"Lat\",NORTH],AXIS[\"Lon\",EAST]]'", "DROP SPATIAL REFERENCE SYSTEM 990001"]),
    ("resource group", (M97,), ["CREATE RESOURCE GROUP rg1 TYPE=USER", "DROP RESOURCE GROUP rg1"]),
    ("instance", (M97,), ["ALTER INSTANCE ROTATE INNODB MASTER KEY", "ALTER INSTANCE RELOAD TLS"]),
    ("persist", (M97,), ["SET PERSIST sort_buffer_size=300000", "RESET PERSIST sort_buffer_size"]),
    ("histogram", (M97,), ["ANALYZE TABLE t UPDATE HISTOGRAM ON v WITH 4 BUCKETS", "ANALYZE TABLE t DROP HISTOGRAM ON v"]),
    ("help and show", ALL, ["SHOW TABLES", "CHECKSUM TABLE t", "DO 1", "HANDLER t OPEN", "HANDLER t CLOSE"]),
    ("cache index", ALL, ["CREATE TABLE n (a INT PRIMARY KEY) ENGINE=MyISAM", "LOAD INDEX INTO CACHE n", "FLUSH TABLES WITH READ LOCK", "UNLOCK TABLES"]),
)  # fmt: skip


def for_pair(s: str, r: str) -> list[dict[str, Any]]:
    """Every case of this source and this replica."""
    k = Maker(s, r)
    k.base = aspects._mend(s, r)
    draw = random.Random(zlib.crc32(f"operations {s} {r}".encode()))
    for name, sources, replicas, given in OPERATIONS:
        logged = draw.choice(FORMATS)
        work = draw.choice([*WORKLOADS, *STATEMENTS])
        if s in sources and r in replicas:
            _operation(k, f"{name} {logged}", given, logged)
            if "st" not in given and "tables" not in given:
                more = {**given, "tables": work[1], "st": work[2]}
                _operation(k, f"{name} {logged} and {work[0]}", more, logged, needs_all=False)
    for name, sources, statements in ACCOUNTS:
        logged = draw.choice(FORMATS)
        if s in sources:
            k.case(
                "accounts and system",
                f"{name} {logged}",
                st=[*statements, LAST],
                needs_all=False,
                ss={"binlog_format": logged},
            )
    return k.out


def _operation(k: Maker, name: str, given: dict[str, Any], logged: str, **more: Any) -> None:
    ids = {"%SOURCE%": SOURCE_IDS[k.s], "%REPLICA%": str(int(SOURCE_IDS[k.r]) + 1)}

    def filled(value: Any) -> Any:
        for key, text in ids.items():
            value = value.replace(key, text) if isinstance(value, str) else value
        return value

    def all_filled(values: dict[str, Any]) -> dict[str, Any]:
        return {key: filled(value) for key, value in values.items()}

    word = "SOURCE" if k.r == M97 else "MASTER"
    channel = {
        (word + key if key.startswith("_") else key): value for key, value in given.get("ch", {}).items()
    }
    k.case(
        "operation", name, ss={"binlog_format": logged, **all_filled(given.get("ss", {}))}, rs=all_filled(given.get("rs", {})),
        session=given.get("session"), rsession=given.get("rsession"), tables=given.get("tables"),
        st=[filled(text) for text in given["st"]] if "st" in given else None, ch=all_filled(channel),
        position=given.get("position", "file"), **more,
    )  # fmt: skip
