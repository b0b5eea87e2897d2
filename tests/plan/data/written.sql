-- base
CREATE TABLE `plain` (`id` int NOT NULL AUTO_INCREMENT, `a` int DEFAULT 1 COMMENT 'first', `b` varchar(20) NOT NULL DEFAULT '', `at` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (`id`), KEY `ka` (`a`), UNIQUE KEY `ub` (`b`));

-- base
CREATE TABLE `cut` (`id` int NOT NULL, `d` int NOT NULL, `v` varchar(10), PRIMARY KEY (`id`)) PARTITION BY RANGE (`id`) (PARTITION p10 VALUES LESS THAN (10), PARTITION p20 VALUES LESS THAN (20), PARTITION pmax VALUES LESS THAN MAXVALUE);

-- base
CREATE TABLE `listed` (`id` int NOT NULL, `v` text COMMENT 'kept', PRIMARY KEY (`id`)) PARTITION BY LIST (`id`) (PARTITION l10 VALUES IN (10,11), PARTITION l20 VALUES IN (20,21));

-- base
CREATE TABLE `hashed` (`id` bigint NOT NULL, `k` int, PRIMARY KEY (`id`), KEY (`k`)) PARTITION BY HASH (`id`) PARTITIONS 3;

-- base
CREATE TABLE `isam` (`id` int NOT NULL, `t` text, `u` varchar(50), PRIMARY KEY (`id`), FULLTEXT KEY `ft` (`t`)) ENGINE=MyISAM COMMENT='old';

-- base
CREATE TABLE `words` (`id` int NOT NULL, `t` text, `u` varchar(50), PRIMARY KEY (`id`), FULLTEXT KEY `ft` (`t`)) DEFAULT CHARSET=utf8mb3;

-- base
CREATE TABLE `latin` (`id` int NOT NULL, `t` text, `u` varchar(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, `v` char(3)) DEFAULT CHARSET=latin1 ROW_FORMAT=COMPACT;

-- base
CREATE TABLE `many` (`a` int, `b` int, `c` int, `d` int, `e` int, `f` int, `g` int, `h` varchar(3) COMMENT 'x');

-- base
CREATE TABLE `bytes` (`id` binary(16) NOT NULL, `b` bit(3) DEFAULT b'10', `y` year, `e` enum('it''s','b') DEFAULT 'b', `z` int(5) zerofill, PRIMARY KEY (`id`), KEY `p` (`e`,`b`) USING BTREE);

-- base generated
CREATE TABLE `gen` (`id` int NOT NULL, `a` int, `v` int GENERATED ALWAYS AS (`a` * 2) VIRTUAL COMMENT 'twice', `s` varchar(20) GENERATED ALWAYS AS (concat(`a`,'x')) STORED, PRIMARY KEY (`id`), KEY `ks` (`s`));

-- base check
CREATE TABLE `chk` (`id` int NOT NULL, `a` int CHECK (`a` > 1), `b` varchar(9), `j` json, PRIMARY KEY (`id`), CONSTRAINT `c_b` CHECK (`b` <> ''));

-- base invisible
CREATE TABLE `inv` (`id` int NOT NULL, `a` int DEFAULT 3 INVISIBLE, `b` int COMMENT 'seen', PRIMARY KEY (`id`));

-- base default
CREATE TABLE `expr` (`id` int NOT NULL, `a` varchar(36) DEFAULT (uuid()), `b` int DEFAULT (1 + 2), `d` date DEFAULT (curdate()), PRIMARY KEY (`id`));

-- base mysql8
CREATE TABLE `fun` (`id` int NOT NULL, `a` int, `p` point NOT NULL SRID 4326, PRIMARY KEY (`id`), KEY `kf` ((`a` + 1)), KEY `kd` (`a` DESC), SPATIAL KEY `sp` (`p`));

-- base mysql8
CREATE TABLE `noten` (`id` int NOT NULL, `a` int, CONSTRAINT `n1` CHECK (`a` > 5) NOT ENFORCED, PRIMARY KEY (`id`), KEY `h` (`a`) INVISIBLE);

-- base mariadb
CREATE TABLE `packed` (`id` int NOT NULL, `a` text COMPRESSED COMMENT 'packed', `b` varchar(2000) COMPRESSED, PRIMARY KEY (`id`)) `PAGE_COMPRESSED`=1;

-- base mariadb
CREATE TABLE `sysver` (`id` int NOT NULL, `a` int, `u` uuid, `ip` inet6 DEFAULT '::1', PRIMARY KEY (`id`));

-- base mariadb
CREATE TABLE `hashuq` (`id` int NOT NULL, `t` text, UNIQUE KEY `ut` (`t`) USING HASH, PRIMARY KEY (`id`), KEY `ig` (`t`(10)) IGNORED);

-- pair keys-by-alter
-- becomes
CREATE TABLE a (id int NOT NULL, b int, c varchar(9)) COMMENT='made in two';
ALTER TABLE a ADD PRIMARY KEY (id), ADD KEY kb (b);
ALTER TABLE a MODIFY id int NOT NULL AUTO_INCREMENT COMMENT 'n';

-- pair new-child-before-parent
-- becomes
CREATE TABLE z (id int PRIMARY KEY);
CREATE TABLE a (id int PRIMARY KEY, z int, CONSTRAINT fz FOREIGN KEY (z) REFERENCES z (id));

-- pair circle
-- becomes
SET foreign_key_checks = 0;
CREATE TABLE a (id int PRIMARY KEY, b int, CONSTRAINT fb FOREIGN KEY (b) REFERENCES b (id));
CREATE TABLE b (id int PRIMARY KEY, a int, CONSTRAINT fa FOREIGN KEY (a) REFERENCES a (id));
SET foreign_key_checks = 1;

-- pair circle-goes
SET foreign_key_checks = 0;
CREATE TABLE a (id int PRIMARY KEY, b int, CONSTRAINT fb FOREIGN KEY (b) REFERENCES b (id));
CREATE TABLE b (id int PRIMARY KEY, a int, CONSTRAINT fa FOREIGN KEY (a) REFERENCES a (id));
SET foreign_key_checks = 1;
-- becomes

-- pair parent-and-child-go
CREATE TABLE a (id int PRIMARY KEY);
CREATE TABLE b (id int PRIMARY KEY, a int, CONSTRAINT fa FOREIGN KEY (a) REFERENCES a (id));
-- becomes

-- pair foreign-key-changes
CREATE TABLE p (id int PRIMARY KEY);
CREATE TABLE c (id int PRIMARY KEY, p int, CONSTRAINT f FOREIGN KEY (p) REFERENCES p (id));
-- becomes
CREATE TABLE p (id int PRIMARY KEY);
CREATE TABLE c (id int PRIMARY KEY, p int, CONSTRAINT f FOREIGN KEY (p) REFERENCES p (id) ON DELETE CASCADE ON UPDATE SET NULL);

-- pair foreign-key-and-types
CREATE TABLE p (id int PRIMARY KEY);
CREATE TABLE c (id int PRIMARY KEY, p int, CONSTRAINT f FOREIGN KEY (p) REFERENCES p (id));
-- becomes
CREATE TABLE p (id bigint PRIMARY KEY);
CREATE TABLE c (id int PRIMARY KEY, p bigint, CONSTRAINT f FOREIGN KEY (p) REFERENCES p (id));

-- pair foreign-key-comes-to-new-parent
CREATE TABLE c (id int PRIMARY KEY, p int);
-- becomes
CREATE TABLE p (id int PRIMARY KEY);
CREATE TABLE c (id int PRIMARY KEY, p int, KEY kp (p), CONSTRAINT f FOREIGN KEY (p) REFERENCES p (id));

-- pair foreign-key-and-parent-go
CREATE TABLE p (id int PRIMARY KEY);
CREATE TABLE c (id int PRIMARY KEY, p int, KEY kp (p), CONSTRAINT f FOREIGN KEY (p) REFERENCES p (id));
-- becomes
CREATE TABLE c (id int PRIMARY KEY, p int);

-- pair child-of-a-key-that-comes
CREATE TABLE p (id int PRIMARY KEY, x int);
-- becomes
CREATE TABLE p (id int PRIMARY KEY, x int, UNIQUE KEY ux (x));
CREATE TABLE c (id int PRIMARY KEY, p int, CONSTRAINT f FOREIGN KEY (p) REFERENCES p (x));

-- pair name-of-a-constraint-goes-over
CREATE TABLE p (id int PRIMARY KEY);
CREATE TABLE c (id int PRIMARY KEY, p int, CONSTRAINT f FOREIGN KEY (p) REFERENCES p (id));
-- becomes
CREATE TABLE p (id int PRIMARY KEY);
CREATE TABLE d (id int PRIMARY KEY, p int, CONSTRAINT f FOREIGN KEY (p) REFERENCES p (id));

-- pair self
CREATE TABLE t (id int PRIMARY KEY, up int);
-- becomes
CREATE TABLE t (id int PRIMARY KEY, up int, CONSTRAINT f FOREIGN KEY (up) REFERENCES t (id));

-- pair partitions-go-columns-come
CREATE TABLE t (id int PRIMARY KEY) PARTITION BY HASH (id) PARTITIONS 2;
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a int COMMENT 'x');

-- pair partitions-and-key-change
CREATE TABLE t (id int, a int, PRIMARY KEY (id)) PARTITION BY HASH (id) PARTITIONS 2;
-- becomes
CREATE TABLE t (id int, a int, PRIMARY KEY (id, a)) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN MAXVALUE);

-- pair two-fulltext
CREATE TABLE t (id int PRIMARY KEY, a text, b text);
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a text, b text, FULLTEXT KEY fa (a), FULLTEXT KEY fb (b));

-- pair zero-dates
CREATE TABLE t (id int PRIMARY KEY);
-- becomes
SET sql_mode = '';
CREATE TABLE t (id int PRIMARY KEY, d datetime NOT NULL DEFAULT '0000-00-00 00:00:00', e date NOT NULL DEFAULT '0000-00-00');

-- pair zero-dates-new
-- becomes
SET sql_mode = '';
CREATE TABLE t (id int PRIMARY KEY, d datetime NOT NULL DEFAULT '0000-00-00 00:00:00');

-- pair ansi-quotes-new
-- becomes
SET sql_mode = 'ANSI_QUOTES';
CREATE TABLE "t" ("id" int PRIMARY KEY, "d" varchar(9) DEFAULT 'x' COMMENT 'y');

-- pair table-options
CREATE TABLE t (id int PRIMARY KEY) COMMENT='one' ROW_FORMAT=COMPACT STATS_PERSISTENT=0;
-- becomes
CREATE TABLE t (id int PRIMARY KEY) COMMENT='it''s two' ROW_FORMAT=DYNAMIC MAX_ROWS=100;

-- pair charset-of-table
CREATE TABLE t (id int PRIMARY KEY, a varchar(10), b text) DEFAULT CHARSET=latin1;
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a varchar(10), b text) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- pair charset-of-table-alone
CREATE TABLE t (id int PRIMARY KEY, a varchar(10) CHARACTER SET latin1) DEFAULT CHARSET=latin1;
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a varchar(10) CHARACTER SET latin1, b char(4)) DEFAULT CHARSET=utf8mb4;

-- pair engine
CREATE TABLE t (id int PRIMARY KEY, a text COMMENT 'k') ENGINE=MyISAM;
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a text COMMENT 'k') ENGINE=InnoDB;

-- pair view-comes
CREATE TABLE t (id int PRIMARY KEY, a int);
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a int, b int);
CREATE VIEW v AS SELECT id, b FROM t;

-- pair view-changes
CREATE TABLE t (id int PRIMARY KEY, a int);
CREATE VIEW v AS SELECT id FROM t;
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a int);
CREATE VIEW v AS SELECT id, a FROM t;

-- pair view-goes
CREATE TABLE t (id int PRIMARY KEY, a int);
CREATE VIEW v AS SELECT id FROM t;
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a int);

-- pair auto-increment-moves
CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, n int NOT NULL);
-- becomes
CREATE TABLE t (id int NOT NULL, n int NOT NULL AUTO_INCREMENT, PRIMARY KEY (n), KEY (id));

-- pair primary-key-changes
CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, n int NOT NULL);
-- becomes
CREATE TABLE t (n int NOT NULL, id int NOT NULL AUTO_INCREMENT, PRIMARY KEY (n, id), UNIQUE KEY (id));

-- pair names-with-quotes
CREATE TABLE `it's` (`a``b` int PRIMARY KEY);
-- becomes
CREATE TABLE `it's` (`a``b` int PRIMARY KEY COMMENT 'q', `c d` int, KEY `e"f` (`c d`));

-- pair key-hidden invisible
CREATE TABLE t (id int PRIMARY KEY, a int, KEY ka (a));
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a int INVISIBLE, KEY ka (a));

-- pair index-invisible mysql8
CREATE TABLE t (id int PRIMARY KEY, a int, KEY ka (a));
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a int, KEY ka (a) INVISIBLE);

-- pair enforced mysql8
CREATE TABLE t (id int PRIMARY KEY, a int, CONSTRAINT c CHECK (a > 1));
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a int, CONSTRAINT c CHECK (a > 1) NOT ENFORCED);

-- pair attributes mysql8
CREATE TABLE t (id int PRIMARY KEY, a int);
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a int COLUMN_FORMAT FIXED COMMENT 'f', b int ENGINE_ATTRIBUTE '{"k": 1}');

-- pair generated-invisible-key mysql8
CREATE TABLE t (a int);
-- becomes
CREATE TABLE t (a int, b json, KEY m ((cast(b->'$.x' as unsigned array))));

-- pair parser mysql8
CREATE TABLE t (id int PRIMARY KEY, a text);
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a text, FULLTEXT KEY f (a) WITH PARSER ngram);

-- pair index-ignored mariadb
CREATE TABLE t (id int PRIMARY KEY, a int, KEY ka (a));
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a int, KEY ka (a) IGNORED);

-- pair versioned mariadb
CREATE TABLE t (id int PRIMARY KEY, a int);
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a int) WITH SYSTEM VERSIONING;

-- pair versioned-no-more mariadb
CREATE TABLE t (id int PRIMARY KEY, a int) WITH SYSTEM VERSIONING;
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a int);

-- pair without-versioning mariadb
CREATE TABLE t (id int PRIMARY KEY, a int) WITH SYSTEM VERSIONING;
-- becomes
CREATE TABLE t (id int PRIMARY KEY, a int WITHOUT SYSTEM VERSIONING) WITH SYSTEM VERSIONING;

-- pair period mariadb
CREATE TABLE t (id int, s date, e date, PERIOD FOR p (s, e));
-- becomes
CREATE TABLE t (id int, s date, e date, PERIOD FOR p (s, e), UNIQUE (id, p WITHOUT OVERLAPS));

-- pair sequence mariadb
-- becomes
CREATE SEQUENCE s START WITH 5 INCREMENT BY 2;

-- pair sequence-goes mariadb
CREATE SEQUENCE s START WITH 5 INCREMENT BY 2;
-- becomes

-- pair page-compressed mariadb
CREATE TABLE t (id int PRIMARY KEY);
-- becomes
CREATE TABLE t (id int PRIMARY KEY) PAGE_COMPRESSED=1 PAGE_COMPRESSION_LEVEL=3;

-- pair fulltext-stays-while-its-column-changes
CREATE TABLE film_text (film_id int NOT NULL PRIMARY KEY, title varchar(100) NOT NULL, d text, FULLTEXT KEY a (title, d)) CHARSET=utf8mb4;
-- becomes
CREATE TABLE film_text (film_id int NOT NULL PRIMARY KEY, title varchar(101) NOT NULL COMMENT 'x', d text, FULLTEXT KEY b (d), FULLTEXT KEY a (title, d)) CHARSET=utf8mb4;
