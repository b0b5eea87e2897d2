"""Somebody has a release's SQL and a dump of production, and asks before the release whether the replica of
another version runs it.
"""

from __future__ import annotations

from tests.journeys.transcript import Journey

DUMP = """\
-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: localhost    Database: shop
-- ------------------------------------------------------
-- Server version\t8.0.36

/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS `orders`;
CREATE TABLE `orders` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `state` varchar(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
INSERT INTO `orders` VALUES (1,'new'),(2,'paid');
-- Dump completed on 2026-11-01 10:00:00
"""
RELEASE = """\
ALTER TABLE orders ADD COLUMN note varchar(200) NULL;
UPDATE orders SET note = 'old' WHERE state = 'paid';
CREATE TABLE places (
  id int NOT NULL PRIMARY KEY,
  name varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci
) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
"""


def test_release(journey: Journey) -> None:
    journey.tell("The SQL of tomorrow's release, and last night's dump.")
    journey.write("shop.sql", DUMP)
    journey.write("release.sql", RELEASE)
    link = "schemacheck link mysql-8.0.36 {} --statements release.sql --tables shop.sql --database shop"
    journey.run(link.format("mysql-8.0.36") + " | tail -1")

    journey.tell("The report server is MariaDB; its sessions and ours agree on a collation.")
    general = "collation_server=utf8mb4_general_ci"
    ours = f"--source-set {general} --source-set default_collation_for_utf8mb4=utf8mb4_general_ci"
    journey.run(f"{link.format('mariadb-10.11')} {ours} > page.txt", status=1)
    journey.run("tail -3 page.txt")

    journey.tell("I name a collation that both have.")
    journey.write("release.sql", RELEASE.replace("utf8mb4_0900_ai_ci", "utf8mb4_general_ci"))
    journey.run(f"{link.format('mariadb-10.11')} {ours} | tail -1")

    journey.tell("What is not followed is not passed.")
    journey.write("release.sql", "CALL archive_orders();\n")
    journey.run(f"{link.format('mysql-8.0.36')} > page.txt", status=3)
    journey.run("tail -2 page.txt")
    journey.end()
