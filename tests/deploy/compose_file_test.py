#!/usr/bin/env python3
"""docker-compose.yml says what an engine would need to know, as far as that shows without one.

usage: compose_file_test.py WALPOST SOURCE_DIRECTORY
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

import yaml

WALPOST, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
DOCKERFILE = (SOURCE / "deploy/Dockerfile").read_text()


class ComposeFileTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Validates against the schema, resolves, and prints what an engine would be told.
        config = subprocess.run(
            ["docker-compose", "-f", SOURCE / "docker-compose.yml", "config"],
            check=True, stdout=subprocess.PIPE)
        cls.services = yaml.safe_load(config.stdout)["services"]

    def test_has_the_four_services(self):
        self.assertEqual(set(self.services), {"postgres", "kafka", "walpost", "shop"})

    def test_every_service_has_a_health_check(self):
        for name, service in self.services.items():
            with self.subTest(service=name):
                if "build" in service:
                    self.assertRegex(DOCKERFILE, r"(?m)^HEALTHCHECK .*CMD")
                else:
                    self.assertTrue(service["healthcheck"]["test"])

    def test_postgres_decodes_logically(self):
        self.assertIn("wal_level=logical", self.services["postgres"]["command"])

    def test_files_that_are_mounted_exist(self):
        mounts = [volume.split(":")[0] for service in self.services.values()
                  for volume in service.get("volumes", []) if volume.startswith("/")]
        self.assertEqual(len(mounts), 2)
        for mount in mounts:
            self.assertTrue(pathlib.Path(mount).is_file(), mount)

    def test_walpost_knows_its_environment(self):
        service = self.services["walpost"]
        in_image = dict(re.findall(r"(?m)^ENV (\w+)=(\S+)$", DOCKERFILE))
        environment = {**in_image, **service["environment"], "PATH": os.environ["PATH"]}
        shown = subprocess.run([WALPOST, "config", "show"], env=environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(shown.returncode, 0, shown.stdout)
        for name in in_image | service["environment"]:
            option = name.removeprefix("WALPOST_").lower().replace("_", "-")
            self.assertRegex(shown.stdout, rf"(?m)^\W*{option}\b.*environment", name)
        self.assertEqual(service["command"], ["run"])

    def test_the_health_check_asks_where_walpost_listens(self):
        port = re.search(r"(?m)^ENV WALPOST_HTTP=0\.0\.0\.0:(\d+)$", DOCKERFILE)[1]
        self.assertIn(f"/dev/tcp/127.0.0.1/{port} ", DOCKERFILE)
        self.assertIn(f"EXPOSE {port}\n", DOCKERFILE)

    def test_a_stop_leaves_time_to_drain(self):
        self.assertEqual(self.services["walpost"]["stop_grace_period"], "30s")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
