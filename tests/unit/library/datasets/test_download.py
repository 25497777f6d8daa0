"""Downloads against a local server with faults: what arrives is right, or the error says why."""

import hashlib
import http.server
import logging
import threading
from dataclasses import replace

import numpy as np
import pytest

from shapaudit.datasets import download
from shapaudit.datasets.download import DATA_VARIABLE, DownloadError, Patience, Source, fetch

CONTENT = np.random.default_rng(3).bytes(300_000)
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the server's `content`; each request takes the next of its `faults`, if any."""

    def do_GET(self):
        server = self.server
        fault = server.faults.pop(0) if server.faults else None
        wanted = self.headers.get("Range")
        server.ranges.append(wanted)
        server.paths.append(self.path)
        server.sent.append(0)
        if isinstance(fault, int):
            self.send_error(fault)
            return
        if fault == "hangs":
            server.released.wait(10)
            return
        start = 0
        if wanted and fault != "ignores range":
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(server.content):
                self.send_error(416)
                return
        body = server.content[start:]
        self.send_response(206 if start else 200)
        if start:
            first = start + 1 if fault == "another range" else start
            size = len(server.content)
            self.send_header("Content-Range", f"bytes {first}-{size - 1}/{size}")
        if fault != "no length":
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if isinstance(fault, tuple):
            body = body[: fault[1]]
        server.sent[-1] = len(body)
        self.wfile.write(body)

    def log_message(self, *_):
        """Quiet: pytest's output is no access log."""


@pytest.fixture
def server(monkeypatch):
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.content, server.faults, server.ranges, server.sent = CONTENT, [], [], []
        server.paths = []
        server.released = threading.Event()
        server.url = f"http://127.0.0.1:{server.server_address[1]}/table.csv"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.released.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def source(server):
    return Source("example", server.url, len(CONTENT), SHA256, "table.csv")


@pytest.fixture
def waits():
    return []


@pytest.fixture
def patience(waits):
    return Patience(attempts=3, timeout=60.0, sleep=waits.append)


def test_download_once(source, server, tmp_path, caplog):
    caplog.set_level(logging.INFO, "shapaudit.datasets.download")
    path = fetch(source, tmp_path / "new" / "data")
    assert path == tmp_path / "new" / "data" / "table.csv"
    assert path.read_bytes() == CONTENT
    assert [entry.name for entry in path.parent.iterdir()] == ["table.csv"]
    assert f"{len(CONTENT)} of {len(CONTENT)} bytes" in caplog.text
    assert fetch(source, tmp_path / "new" / "data") == path
    assert server.ranges == [None]


def test_folder_of_the_environment_variable(source, server, patience, tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "table.csv").write_bytes(CONTENT)
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "own"))
    assert fetch(source, tmp_path / "data", patience) == tmp_path / "own" / "table.csv"
    assert server.ranges == []
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("folder", ["own", "data"])
def test_wrong_file_is_reported_and_passed_over(
    source, patience, tmp_path, monkeypatch, caplog, folder
):
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "table.csv").write_bytes(b"other")
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "own"))
    path = fetch(source, tmp_path / "data", patience)
    assert path == tmp_path / "data" / "table.csv"
    assert path.read_bytes() == CONTENT
    assert SHA256 in caplog.text
    assert hashlib.sha256(b"other").hexdigest() in caplog.text
    if folder == "own":
        assert (tmp_path / "own" / "table.csv").read_bytes() == b"other"


def test_wrong_file_stays_when_the_download_fails(source, server, patience, tmp_path):
    (tmp_path / "table.csv").write_bytes(b"other")
    server.faults = [404]
    with pytest.raises(DownloadError, match=r"404.*table\.csv is another file") as caught:
        fetch(source, tmp_path, patience)
    assert hashlib.sha256(b"other").hexdigest() in str(caught.value)
    assert (tmp_path / "table.csv").read_bytes() == b"other"


@pytest.mark.parametrize(
    ("part", "faults", "ranges", "sent"),
    [
        pytest.param(CONTENT[:120_000], [], ["bytes=120000-"], [180_000], id="resumed"),
        pytest.param(CONTENT, [], [], [], id="complete"),
        pytest.param(
            CONTENT[:120_000], ["ignores range"], ["bytes=120000-"], [300_000], id="range ignored"
        ),
        pytest.param(
            CONTENT + b"more", [], ["bytes=300004-", None], [0, 300_000], id="resume refused"
        ),
        pytest.param(
            b"x" * 120_000, [], ["bytes=120000-", None], [180_000, 300_000], id="stale beginning"
        ),
        pytest.param(
            b"",
            [("cut", 100_000), ("cut", 50_000)],
            [None, "bytes=100000-", "bytes=150000-"],
            [100_000, 50_000, 150_000],
            id="broken twice",
        ),
        pytest.param(b"", ["no length"], [None], [300_000], id="length not announced"),
        pytest.param(b"", [503, 429], [None] * 3, [0, 0, 300_000], id="server overloaded"),
    ],
)
def test_only_missing_bytes_are_sent(
    source, server, patience, waits, tmp_path, part, faults, ranges, sent
):
    (tmp_path / "table.csv.part").write_bytes(part)
    server.faults = faults
    assert fetch(source, tmp_path, patience).read_bytes() == CONTENT
    assert (server.ranges, server.sent) == (ranges, sent)
    assert waits == [1.0, 2.0][: max(0, len(ranges) - 1)]
    assert [entry.name for entry in tmp_path.iterdir()] == ["table.csv"]


def test_server_that_answers_with_another_range(source, server, patience, tmp_path):
    (tmp_path / "table.csv.part").write_bytes(CONTENT[:120_000])
    server.faults = ["another range"]
    with pytest.raises(DownloadError, match="206 with another range"):
        fetch(source, tmp_path, patience)


def test_truncated(source, server, patience, waits, tmp_path):
    server.faults = [("cut", 100_000), ("cut", 0), ("cut", 0)]
    with pytest.raises(DownloadError, match=f"truncated: got 100000 of {len(CONTENT)} bytes"):
        fetch(source, tmp_path, patience)
    assert len(waits) == 2
    assert (tmp_path / "table.csv.part").stat().st_size == 100_000
    assert not (tmp_path / "table.csv").exists()


def test_wrong_checksum(source, server, patience, waits, tmp_path):
    server.content = CONTENT[:-1] + bytes([CONTENT[-1] ^ 1])
    got = hashlib.sha256(server.content).hexdigest()
    with pytest.raises(
        DownloadError, match=f"wrong checksum: expected SHA-256 {SHA256}, got {got}"
    ):
        fetch(source, tmp_path, patience)
    assert list(tmp_path.iterdir()) == []
    assert waits == []


@pytest.mark.parametrize(
    ("excess", "faults", "message"),
    [
        (b"more", [], f"announces {len(CONTENT) + 4} bytes, expected {len(CONTENT)}"),
        (CONTENT * 2, ["no length"], r"wrong checksum: .* \(3\d{5} bytes, expected 300000\)"),
    ],
)
def test_another_size_is_refused(source, server, patience, tmp_path, excess, faults, message):
    server.content, server.faults = CONTENT + excess, faults
    with pytest.raises(DownloadError, match=message):
        fetch(source, tmp_path, patience)
    assert list(tmp_path.iterdir()) == []


def test_not_found_is_final_and_names_everything(source, server, patience, waits, tmp_path):
    server.faults = [404]
    with pytest.raises(DownloadError) as caught:
        fetch(source, tmp_path / "data", patience)
    told = str(caught.value)
    for part in ("'example'", server.url, "404", "table.csv", SHA256, DATA_VARIABLE, "data"):
        assert part in told
    assert waits == []


def test_connection_refused(source, server, patience, waits, tmp_path):
    server.shutdown()
    server.server_close()
    with pytest.raises(DownloadError, match=r"no connection: .*refused.*after 3 attempts"):
        fetch(source, tmp_path, patience)
    assert len(waits) == 2


def test_silent_server_runs_into_the_timeout(source, server, waits, tmp_path):
    server.faults = ["hangs"]
    patience = Patience(attempts=1, timeout=0.1, sleep=waits.append)
    with pytest.raises(DownloadError, match="timed out"):
        fetch(source, tmp_path, patience)


@pytest.mark.parametrize("url", ["no-scheme/table.csv", "http://127.0.0.1:port/table.csv"])
def test_malformed_address(url, patience, waits, tmp_path):
    source = Source("example", url, len(CONTENT), SHA256, "table.csv")
    with pytest.raises(DownloadError, match="not an address"):
        fetch(source, tmp_path, patience)
    assert waits == []


@pytest.mark.parametrize(
    ("change", "message"),
    [({"sha256": "abc"}, "SHA-256"), ({"filename": "../table.csv"}, "filename has a folder")],
)
def test_malformed_source(change, message):
    fields = {"name": "e", "url": "u", "size": 1, "sha256": SHA256, "filename": "f"} | change
    with pytest.raises(ValueError, match=message):
        Source(**fields)


def test_a_mirror_takes_over_and_goes_on_where_the_first_stopped(
    source, server, patience, tmp_path
):
    server.faults = [("cut", 100_000), 404]
    served = replace(source, mirrors=(source.url.replace("table", "{sha256}"),))
    assert fetch(served, tmp_path, patience).read_bytes() == CONTENT
    assert server.ranges == [None, "bytes=100000-", "bytes=100000-"]
    assert server.paths[-1] == f"/{SHA256}.csv"


def test_all_addresses_are_told_where_none_serves(source, server, patience, tmp_path):
    server.faults = [404, 403]
    served = replace(source, mirrors=(source.url.replace("table", "other"),))
    with pytest.raises(DownloadError, match=r"table\.csv: .*404.*other\.csv: .*403") as caught:
        fetch(served, tmp_path, patience)
    assert list(caught.value.faults) == list(served.addresses)


def test_waits_double_and_statuses_of_servers_pass(source, server, waits, tmp_path, caplog):
    caplog.set_level(logging.INFO, "shapaudit.datasets.download")
    server.faults = [408, 425, 429, 500, 502, 503, 504]
    fetch(source, tmp_path, Patience(attempts=8, timeout=60.0, sleep=waits.append))
    assert waits == [1, 2, 4, 8, 16, 32, 64]
    assert "the server answered 503 Service Unavailable; trying again in 32 s" in caplog.text


@pytest.mark.parametrize("status", [400, 403, 410, 501, 505])
def test_other_statuses_are_final(source, server, patience, waits, tmp_path, status):
    server.faults = [status]
    with pytest.raises(DownloadError, match=f"the server answered {status} ") as caught:
        fetch(source, tmp_path, patience)
    assert waits == []
    assert list(caught.value.faults) == [server.url]


def test_progress_is_told_at_each_tenth(source, server, patience, tmp_path, caplog):
    caplog.set_level(logging.INFO, "shapaudit.datasets.download")
    fetch(source, tmp_path, patience)
    told = [record.args[1] for record in caplog.records if "bytes" in record.msg]
    assert told == [65536, 131072, 196608, 262144, 300000]


def test_progress_is_not_told_within_a_tenth(source, caplog):
    caplog.set_level(logging.INFO, "shapaudit.datasets.download")
    for before, after in ((0, 29_999), (29_999, 30_000), (30_000, 59_999), (59_999, 90_000)):
        download._log_progress(source, before, after)
    assert [record.args[1] for record in caplog.records] == [30_000, 90_000]


def test_no_attempt_downloads_nothing(source, server, tmp_path):
    with pytest.raises(DownloadError, match="no attempt was allowed"):
        fetch(source, tmp_path, Patience(attempts=0))
    assert server.paths == []
