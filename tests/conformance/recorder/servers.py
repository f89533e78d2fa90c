"""PostgreSQL, Kafka and Kafka Connect as child processes, each in a folder of its own."""

import json
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import urllib.error
import urllib.request

from .wait import poll_until

ROOT = pathlib.Path(__file__).resolve().parents[3]
SERVERS = pathlib.Path(os.environ.get("WALPOST_SERVERS", ROOT / "build" / "servers"))
POSTGRES_MAJOR = 15
CLUSTER_ID = "d2FscG9zdC10ZXN0cy0wMQ"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def log_tail(path):
    text = path.read_text(errors="replace") if path.exists() else ""
    return "\n" + text[-3000:]


class Process:
    """A child that dies with us, its output in a file."""

    def __init__(self, argv, log_file, **options):
        self.log_file = log_file
        with open(log_file, "ab") as log:
            self._child = subprocess.Popen(
                ["setpriv", "--pdeathsig=KILL", "--", *argv],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, **options)

    def running(self):
        return self._child.poll() is None

    def returncode(self):
        return self._child.poll()

    def require_running(self, what):
        if not self.running():
            raise RuntimeError(f"{what} ended with {self._child.returncode}{log_tail(self.log_file)}")

    def stop(self, number=signal.SIGTERM):
        if self.running():
            self._child.send_signal(number)
        try:
            self._child.wait(30)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()


def _postgres_bin():
    for path in (SERVERS / f"pg{POSTGRES_MAJOR}" / "bin",
                 pathlib.Path(f"/usr/lib/postgresql/{POSTGRES_MAJOR}/bin")):
        if (path / "postgres").exists():
            return path
    raise RuntimeError(f"no PostgreSQL {POSTGRES_MAJOR}; scripts/lib/servers provides it")


def _unprivileged():
    """PostgreSQL refuses to run as root, so root runs it as nobody (see tests/support)."""
    if os.geteuid() != 0:
        return []
    group = pwd.getpwnam("nobody").pw_gid
    return ["setpriv", "--reuid=nobody", f"--regid={group}", "--clear-groups",
            "--inh-caps=+dac_override", "--ambient-caps=+dac_override",
            "--securebits=+no_setuid_fixup", "--pdeathsig=KILL", "--"]


class Postgres:
    SETTINGS = {"listen_addresses": "127.0.0.1", "wal_level": "logical", "max_wal_senders": 32,
                "max_replication_slots": 32, "shared_buffers": "32MB", "fsync": "off",
                "max_connections": 200, "autovacuum": "off"}

    def __init__(self, folder):
        self.port = free_port()
        folder.mkdir(parents=True)
        if os.geteuid() == 0:
            os.chown(folder, pwd.getpwnam("nobody").pw_uid, pwd.getpwnam("nobody").pw_gid)
        data, log = folder / "data", folder / "postgres.log"
        # No socket: its path would be too long for one.
        settings = {**self.SETTINGS, "port": self.port, "unix_socket_directories": ""}
        with open(log, "ab") as out:
            subprocess.run(
                [*_unprivileged(), _postgres_bin() / "initdb", "-D", data, "-U", "postgres", "-A",
                 "trust", "-E", "UTF8", "--no-locale", "--no-sync"],
                check=True, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        with open(data / "postgresql.conf", "a") as conf:
            conf.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        self._server = Process([*_unprivileged(), _postgres_bin() / "postgres", "-D", data], log)
        poll_until("PostgreSQL accepts connections", self._accepts)

    def _accepts(self):
        self._server.require_running("PostgreSQL")
        return subprocess.run(["psql", *self._target("postgres"), "-c", "SELECT 1"],
                              capture_output=True).returncode == 0

    def _target(self, database):
        return ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p",
                str(self.port), "-U", "postgres", "-d", database]

    def run(self, database, *statements):
        """Runs the statements on one connection, each for itself; the rows of all, as text."""
        commands = [part for statement in statements for part in ("-c", statement)]
        done = subprocess.run(["psql", *self._target(database), *commands], capture_output=True,
                              text=True, env={**os.environ, "PGCLIENTENCODING": "UTF8"})
        if done.returncode != 0:
            raise RuntimeError(f"{database}: {done.stderr.strip()}")
        return done.stdout.strip()

    def stop(self):
        self._server.stop(signal.SIGINT)


def java(main_class, arguments, classpath, memory="320m"):
    return ["java", f"-Xmx{memory}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-Duser.timezone=UTC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-Dorg.slf4j.simpleLogger.showDateTime=true", "-cp", classpath, main_class, *arguments]


def kafka_jars():
    if not (SERVERS / "kafka").exists():
        raise RuntimeError("no Kafka; scripts/lib/servers provides it")
    return str(SERVERS / "kafka" / "*")


class Kafka:
    PARTITIONS = 8

    def __init__(self, folder):
        folder.mkdir(parents=True)
        self.port, controller = free_port(), free_port()
        log, properties = folder / "kafka.log", folder / "server.properties"
        properties.write_text("\n".join([
            "process.roles=broker,controller", "node.id=1",
            f"controller.quorum.voters=1@127.0.0.1:{controller}",
            f"listeners=PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{controller}",
            f"advertised.listeners=PLAINTEXT://127.0.0.1:{self.port}",
            "controller.listener.names=CONTROLLER",
            "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            f"log.dirs={folder / 'data'}", f"num.partitions={self.PARTITIONS}",
            "offsets.topic.replication.factor=1", "offsets.topic.num.partitions=1",
            "transaction.state.log.replication.factor=1",
            # A record time far ahead is the business of the vector, not of the broker.
            f"log.message.timestamp.after.max.ms={2**63 - 1}", ""]))
        with open(log, "ab") as out:
            subprocess.run(java("kafka.tools.StorageTool",
                                ["format", "-t", CLUSTER_ID, "-c", str(properties)], kafka_jars()),
                           check=True, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        argv = java("kafka.Kafka", [str(properties)], kafka_jars())
        argv[argv.index("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")] = (
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=info")
        self._server = Process(argv, log)
        poll_until("Kafka starts", lambda: self._server.require_running("Kafka") or
                   "Kafka Server started" in log.read_text(errors="replace"))

    def stop(self):
        self._server.stop()


def compile_capture(folder):
    """The interceptor and the transformation of tests/conformance/connect, as a class path entry."""
    shutil.rmtree(folder, ignore_errors=True)
    services = folder / "META-INF" / "services"
    services.mkdir(parents=True)
    (services / "org.apache.kafka.connect.transforms.Transformation").write_text(
        "walpost.conformance.MarkCapture\n")
    sources = sorted((ROOT / "tests" / "conformance" / "connect").glob("*.java"))
    subprocess.run(["javac", "-nowarn", "-cp", kafka_jars(), "-d", folder, *sources], check=True)
    return folder


class Connect:
    """One Connect worker with one version of Debezium; connectors come and go over its REST API."""

    def __init__(self, folder, kafka, debezium_version, classes):
        plugins = SERVERS / "debezium" / debezium_version
        if not plugins.exists():
            raise RuntimeError(f"no Debezium {debezium_version}; scripts/lib/servers provides it")
        folder.mkdir(parents=True)
        # A plug-in is a folder of jars below plugin.path.
        (folder / "plugins").mkdir()
        (folder / "plugins" / "debezium").symlink_to(plugins)
        self.port = free_port()
        properties = folder / "worker.properties"
        properties.write_text("\n".join([
            f"bootstrap.servers=127.0.0.1:{kafka.port}",
            f"listeners=http://127.0.0.1:{self.port}",
            "key.converter=org.apache.kafka.connect.storage.StringConverter",
            "value.converter=org.apache.kafka.connect.storage.StringConverter",
            f"offset.storage.file.filename={folder / 'offsets'}", "offset.flush.interval.ms=2000",
            # All connectors wait while one is stopped, and what it would still do is of no interest.
            "task.shutdown.graceful.timeout.ms=300",
            f"plugin.path={folder / 'plugins'}", "plugin.discovery=service_load",
            "connector.client.config.override.policy=All", ""]))
        self._worker = Process(
            java("org.apache.kafka.connect.cli.ConnectStandalone", [str(properties)],
                 f"{classes}:{kafka_jars()}", memory="512m"), folder / "connect.log")
        poll_until("Kafka Connect starts", self._answers, every=0.1)

    def _answers(self):
        self._worker.require_running("Kafka Connect")
        try:
            return self.request("GET", "/connectors")[0] == 200
        except OSError:
            return False

    def request(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=90) as response:
                text = response.read()
                return response.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            text = error.read()
            try:
                return error.code, json.loads(text)
            except ValueError:
                return error.code, {"message": text.decode(errors="replace")}

    def failure(self, name):
        """The stack trace with which connector or task failed, or None."""
        code, status = self.request("GET", f"/connectors/{name}/status")
        if code != 200:
            return None
        for part in [status["connector"], *status["tasks"]]:
            if part["state"] == "FAILED":
                return part["trace"]
        return None

    def stop(self):
        self._worker.stop()
