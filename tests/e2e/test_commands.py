"""What scripts rely on: the shape of each answer, the exit statuses, and words instead of tracebacks."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest
from small_vaults import Answer, ask, command, fill_vault, run_vaultsync

from vaultsync.daemon import instance_lock, petition

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOTES = {
    "Projects/Alpha.md": (
        "---\naliases: [First]\ntags: [project/active]\ndate: 2026-03-02\nup: '[[Beta]]'\n---\n"
        "# Alpha\n\nWhat it is about.\n\n## Goals\n\nReach [[Beta#Plan|the plan]] before ![[Missing]]. ^q3\n"
    ),
    "Projects/Beta.md": "# Beta\n\n## Plan\n\nA plan to reach. See [alpha](Alpha.md).\n",
    "Bad.md": "---\ntitle: a: b\n---\nStill searchable.\n",
}

EVERY_VERB = (
    ("init",),
    ("sync",),
    ("search", "plan"),
    ("show", "Alpha"),
    ("status",),
    ("dump",),
    ("doctor",),
    ("config",),
)

UID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


@pytest.fixture
def root(home: Path, tmp_path: Path) -> Path:
    """A small vault that was synced once."""
    del home
    root = fill_vault(tmp_path / "Vault", NOTES)
    assert ask("sync", root).status == 0
    return root


@pytest.fixture
def untouched(home: Path, tmp_path: Path) -> Path:
    """A small vault that was never synced."""
    del home
    return fill_vault(tmp_path / "Vault", NOTES)


def assert_error(answer: Answer, status: int, code: str) -> str:
    """Check an error in its JSON shape, and that stderr says it too; return its message."""
    error = answer.json["error"]
    assert (answer.status, error["code"]) == (status, code), error
    assert answer.json.keys() == {"error"}
    assert error["message"] in answer.err
    assert "Traceback" not in answer.err
    return str(error["message"])


def state_of(root: Path) -> Path:
    return type(root)(ask("--vault", root, "config", "--json").json["state"])


# ---- shapes ----


def test_the_shape_of_sync(untouched: Path) -> None:
    """A first sync counts what it added, read and summed up, and lists the problems that notes have."""
    report = ask("sync", untouched, "--json").json
    assert report["vault"] == str(untouched)
    counts = ("added", "modified", "removed", "returned", "unchanged", "held_removals")
    assert [report[count] for count in counts] == [3, 0, 0, 0, 0, 0]
    assert report["renamed"] == []
    assert report["refusal"] is None
    (problem,) = report["problems"]
    assert (problem["path"], problem["code"], problem["line"]) == ("Bad.md", "frontmatter-invalid", 2)
    assert problem["message"]
    stages = ("parsed", "extracted", "embedded", "sealed", "flushed", "written", "model_calls", "failed")
    done = {"parsed": 3, "extracted": 4, "flushed": 1, "written": 1}
    assert {stage: report["stages"][stage] for stage in stages} == dict.fromkeys(stages, 0) | done
    (generated,) = report["summaries"].pop("written")
    assert report["summaries"].pop("bytes") == (untouched / generated).stat().st_size
    assert report["summaries"] == {"removed": [], "moved": [], "refused": [], "stuck": []}
    assert report["seconds"]["total"] > 0


def test_sync_counts_what_happened_to_notes(root: Path) -> None:
    """Each class of change is counted once; a dry run counts the same and changes nothing."""
    fill_vault(root, {"New.md": "new", "Bad.md": "mended", "ignored.md": "---\nvaultsync: ignore\n---\n"})
    (root / "Projects/Beta.md").unlink()
    expected = {"added": 1, "modified": 1, "removed": 1, "returned": 0, "unchanged": 1, "held_removals": 0}
    for words in (("--dry-run",), ("--dry-run",), ()):
        report = ask("--vault", root, "sync", *words, "--json").json
        assert {key: report[key] for key in expected} == expected
    fill_vault(root, {"Projects/Beta.md": NOTES["Projects/Beta.md"]})
    assert ask("--vault", root, "sync", "--json").json["returned"] == 1


def test_the_shape_of_show(root: Path) -> None:
    """Names, outline, blocks, chunks, links and backlinks, each where it stands in the file's bytes."""
    shown = ask("--vault", root, "show", "Projects/Alpha.md", "--json").json
    raw = (root / "Projects/Alpha.md").read_bytes()
    assert UID.fullmatch(shown["uid"])
    expected = {
        "kind": "note",
        "path": "Projects/Alpha.md",
        "title": "Alpha",
        "aliases": ["First"],
        "tags": ["project/active"],
        "description": "What it is about.",
        "event_date": "2026-03-02",
        "link": "obsidian://open?vault=Vault&file=Projects%2FAlpha.md",
        "chunk_status": "chunked",
        "problems": [],
    }
    assert {key: shown[key] for key in expected} == expected
    assert shown["metadata"]["date"] == "2026-03-02"
    headings = [(entry["text"], entry["level"]) for entry in shown["headings"]]
    assert headings == [("Alpha", 1), ("Goals", 2)]
    starts = [raw[entry["start"] : entry["end"]].rstrip() for entry in shown["headings"]]
    assert starts == [b"# Alpha", b"## Goals"]
    assert [block["id"] for block in shown["blocks"]] == ["q3"]
    for number, chunk in enumerate(shown["chunks"]):
        (place,) = chunk["raw_refs"]
        assert raw[place["start"] : place["end"]].decode() == chunk["text"]
        assert (chunk["idx"], place["path"]) == (number, "Projects/Alpha.md")
        assert chunk.keys() >= {"uid", "heading_path", "tokens", "status", "parent"}
    assert shown["chunks"][-1]["heading_path"] == ["Alpha", "Goals"]
    links = {link["target"]: link for link in shown["links"]}
    plan = links["Beta#Plan|the plan"]
    assert raw[plan["start"] : plan["end"]] == b"[[Beta#Plan|the plan]]"
    assert (plan["kind"], plan["text"]) == ("wikilink", "the plan")
    assert plan["explanation"].startswith("Reach")
    resolved = {"path": "Projects/Beta.md", "heading": "Plan", "block": None, "match": "name"}
    assert {key: plan["resolved"][key] for key in resolved} == resolved
    assert links["Missing"]["kind"] == "embed"
    assert links["Missing"]["resolved"] is None
    assert links["Beta"]["kind"] == "property"
    (backlink,) = shown["backlinks"]
    assert (backlink["path"], backlink["explanation"]) == ("Projects/Beta.md", "See alpha.")


def test_show_of_a_file_that_is_no_note_names_the_rule(root: Path) -> None:
    """A file that was left out is answered with the rule that did it."""
    fill_vault(root, {"Board.canvas": "{}", "node_modules/x/README.md": "code"})
    for path, rule in (("Board.canvas", "canvas"), ("node_modules/x/README.md", "build-folder")):
        shown = ask("--vault", root, "show", path, "--json").json
        assert (shown["kind"], shown["left_out"]["code"]) == (None, rule)


@pytest.mark.parametrize("ref", ["Projects/Alpha.md", "Projects/Alpha", "alpha", "FIRST"])
def test_a_reference_is_a_path_a_title_or_an_alias(root: Path, ref: str) -> None:
    """Whatever only one note answers to means that note; so does the beginning of its uid."""
    shown = ask("--vault", root, "show", ref, "--json").json
    assert shown["path"] == "Projects/Alpha.md"
    assert ask("--vault", root, "show", shown["uid"][:8], "--json").json == shown


def test_the_shape_of_search(root: Path) -> None:
    """Hits carry their place in bytes and lines, a snippet and their score."""
    found = ask("--vault", root, "search", "reach plan", "--json", "-k", "2").json
    assert (found["query"], found["mode"], found["legs"]) == ("reach plan", "hybrid", ["text"])
    assert {hit["path"] for hit in found["hits"]} == {"Projects/Alpha.md", "Projects/Beta.md"}
    for hit in found["hits"]:
        raw = (root / hit["path"]).read_bytes()
        assert "plan" in raw[hit["start"] : hit["end"]].decode()
        assert hit["line"] == raw[: hit["start"]].count(b"\n") + 1
        assert hit["end_line"] >= hit["line"]
        assert "plan" in hit["snippet"]
        assert hit["kind"] == "note"
        assert hit["link"].startswith("obsidian://open?vault=Vault&file=")
        assert hit.keys() >= {"uid", "chunk", "title", "heading_path", "event_date", "score", "parts"}
    scores = [hit["score"] for hit in found["hits"]]
    assert scores == sorted(scores, reverse=True)


def test_the_shape_of_status(root: Path) -> None:
    """Status holds the index against the disk, so a change shows at once (F23)."""
    assert ask("--vault", root, "status", "--json").json["is_current"] is True
    fill_vault(root, {"New.md": "new", "Board.canvas": "{}"})
    status = ask("--vault", root, "status", "--json").json
    assert status["is_current"] is False
    assert status["missing"]["new"] == 1
    assert status["left_out"]["canvas"] == 1
    assert [problem["path"] for problem in status["problems"]] == ["Bad.md"]


def test_the_shape_of_dump(root: Path) -> None:
    """One JSON object a line with sorted keys: notes by path, then chunks, then links."""
    answer = ask("--vault", root, "dump")
    entries = [Answer(0, line.encode(), "").json for line in answer.text.splitlines()]
    assert all(list(entry) == sorted(entry) for entry in entries)
    kinds = ["note" if "note" in entry else "chunk" if "chunk" in entry else "link" for entry in entries]
    assert kinds == sorted(kinds, key=["note", "chunk", "link"].index)
    notes = [entry for entry in entries if "note" in entry]
    assert [note["note"] for note in notes] == ["Bad.md", "Projects/Alpha.md", "Projects/Beta.md"]
    assert all(
        note.keys() == {"note", "title", "aliases", "tags", "event_date", "hash", "problems"}
        for note in notes
    )
    assert notes[0]["problems"] == ["frontmatter-invalid"]
    chunks = [entry for entry in entries if "chunk" in entry]
    assert all(chunk.keys() == {"chunk", "hash", "heading_path", "vectorized"} for chunk in chunks)
    assert chunks == sorted(chunks, key=lambda entry: entry["chunk"])
    links = [entry for entry in entries if "link" in entry]
    assert all(link.keys() == {"link", "kind", "target", "to", "heading", "block"} for link in links)
    assert [link["to"] for link in links] == [
        "Projects/Beta.md",
        "Projects/Beta.md",
        None,
        "Projects/Alpha.md",
    ]


def test_dump_shows_uids_when_asked(root: Path) -> None:
    """With --uids notes and chunks bear theirs; without, two indexes that agree print the same."""
    lines = [Answer(0, line, "").json for line in ask("--vault", root, "dump", "--uids").out.splitlines()]
    assert all(UID.fullmatch(entry["uid"]) for entry in lines if "link" not in entry)


def test_the_shape_of_config(root: Path) -> None:
    """Every setting with its value and its source."""
    fill_vault(root, {".vaultsync/config.toml": "[chunks]\nchunk_target = 100\n"})
    document = ask("--vault", root, "config", "--json").json
    assert document["vault"] == str(root)
    setting = document["settings"]["chunks.chunk_target"]
    assert setting == {"value": 100, "source": str(root / ".vaultsync/config.toml")}
    assert document["settings"]["scope.exclude"] == {"value": [], "source": "default"}


def test_init_writes_settings_once(untouched: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What init writes explains every setting and changes none; a second init overwrites nothing."""
    monkeypatch.chdir(untouched.parent)
    path = untouched / ".vaultsync/config.toml"
    assert ask("--vault", untouched, "init", "--json").json["written"] is True
    assert not (untouched.parent / ".vaultsync").exists()
    settings = ask("--vault", untouched, "config", "--json").json["settings"]
    assert {setting["source"] for setting in settings.values()} == {"default"}
    path.write_text("# mine\n", encoding="utf-8")
    assert ask("init", untouched, "--json").json["written"] is False
    assert path.read_text(encoding="utf-8") == "# mine\n"


def test_init_in_a_folder_of_a_vault_means_the_vault(
    untouched: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must not make a vault inside the vault, whose notes would be left out of it."""
    monkeypatch.chdir(untouched / "Projects")
    assert ask("init").status == 0
    assert (untouched / ".vaultsync/config.toml").exists()
    assert not (untouched / "Projects/.vaultsync").exists()


def test_the_shape_of_doctor(root: Path) -> None:
    """Every check with its verdict; a broken one makes the exit status 1, and a repair mends what it can."""
    answer = ask("--vault", root, "doctor", "--json")
    assert (answer.status, answer.json["ok"]) == (0, True)
    assert all(check["ok"] and check["message"] for check in answer.json["checks"])
    fill_vault(root, {"New.md": "new"})
    answer = ask("--vault", root, "doctor", "--json")
    assert (answer.status, answer.json["ok"]) == (1, False)
    failing = [check for check in answer.json["checks"] if not check["ok"]]
    assert [(check["code"], check["found"]) for check in failing] == [("disk", ["New.md is new"])]
    assert ask("--vault", root, "doctor", "--repair", "--json").json["ok"] is True


# ---- where the options stand ----


@pytest.mark.parametrize("verb", ["sync", "search", "show", "status", "doctor", "config", "init"])
def test_json_may_stand_before_or_after_the_verb(root: Path, verb: str) -> None:
    """The common options mean the same on either side of the verb."""
    words = {"search": ["plan"], "show": ["Alpha"]}.get(verb, [])
    before = ask("--json", "--vault", root, verb, *words).json
    after = ask(verb, *words, "--vault", root, "--json").json
    assert before.keys() == after.keys()


def test_the_vault_is_named_or_around(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The option goes before the environment, the environment before the folder that we are in."""
    other = fill_vault(tmp_path / "Other", {"Only.md": "one"})
    monkeypatch.chdir(other)
    assert ask("sync", "--json").json["vault"] == str(other)
    monkeypatch.setenv("VAULTSYNC_VAULT", str(root))
    assert ask("sync", "--json").json["vault"] == str(root)
    assert ask("sync", "--json", "--vault", other).json["vault"] == str(other)
    assert ask("sync", other, "--json").json["vault"] == str(other)


def test_the_state_is_named(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory may be kept anywhere: by option, else by environment."""
    monkeypatch.setenv("VAULTSYNC_STATE", str(tmp_path / "env"))
    assert ask("--vault", root, "sync").status == 0
    assert (tmp_path / "env/index.db").exists()
    assert ask("--vault", root, "--state", tmp_path / "option", "sync").status == 0
    assert (tmp_path / "option/index.db").exists()


def test_quiet_says_nothing_when_all_is_well(root: Path) -> None:
    """With -q only what went wrong is said."""
    assert ask("-q", "sync", root)[1:] == (b"", "")


# ---- exit statuses, and errors in words ----


@pytest.mark.parametrize("words", EVERY_VERB)
def test_a_vault_that_is_not_there(home: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    """Exit status 3, and the folder is named."""
    del home
    answer = ask("--vault", tmp_path / "nowhere", "--json", *words)
    assert "nowhere" in assert_error(answer, 3, "vault-unusable")


@pytest.mark.parametrize("words", [("search", "x"), ("show", "x"), ("status",), ("dump",), ("doctor",)])
def test_a_vault_of_which_nothing_is_known(untouched: Path, words: tuple[str, ...]) -> None:
    """Exit status 3, and the way out: sync."""
    answer = ask("--vault", untouched, "--json", *words)
    assert "vaultsync sync" in assert_error(answer, 3, "state-unusable")


def test_no_vault_anywhere(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit status 2: neither named nor around."""
    monkeypatch.chdir(home)
    assert "--vault" in assert_error(ask("sync", "--json"), 2, "usage")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["show", "No such note"], "unknown-ref"),
        (["show", ""], "unknown-ref"),
        (["show", "x" * 5000], "unknown-ref"),
        (["show", os.fsdecode(b"\xff")], "unknown-ref"),
        (["show", "../../etc/passwd"], "unknown-ref"),
        (["show"], "usage"),
        (["search"], "usage"),
        (["search", "x", "--mode", "other"], "usage"),
        (["search", "x", "--since", "tomorrow"], "usage"),
        (["sync", "--only", "../outside"], "usage"),
        (["frobnicate"], "usage"),
        (["sync", "--no-such-option"], "usage"),
    ],
)
def test_wrong_use(root: Path, words: list[str], code: str) -> None:
    """Exit status 2 and a code that says in what way."""
    assert_error(ask("--vault", root, "--json", *words), 2, code)


def test_a_reference_that_two_notes_answer_to(root: Path) -> None:
    """Exit status 2, with the notes that it may mean."""
    fill_vault(root, {"Other/Alpha.md": "another"})
    ask("sync", root)
    message = assert_error(ask("--vault", root, "show", "Alpha", "--json"), 2, "ambiguous-ref")
    assert "Other/Alpha.md" in message
    assert "Projects/Alpha.md" in message


@pytest.mark.parametrize(
    "text",
    [
        b"no toml [",
        b"[scope]\nexclud = []\n",
        b"[scope]\nexclude = 3\n",
        b"[scope]\nprivate = ['[z-a]']\n",
        b"[chunks]\nchunk_target = 1\n",
        b"[chunks]\nchunk_ceiling = 40\n",
        b"exclude = []\n",
        b"\xff\xfe",
    ],
)
def test_settings_that_can_not_be_read(root: Path, text: bytes) -> None:
    """Exit status 2, and nothing is guessed: a private glob that is off must not give a note away."""
    fill_vault(root, {".vaultsync/config.toml": text})
    assert_error(ask("sync", root, "--json"), 2, "config-invalid")


@pytest.mark.parametrize("words", [("sync",), ("search", "x"), ("show", "Alpha"), ("status",), ("dump",)])
def test_a_database_that_is_damaged(root: Path, words: tuple[str, ...]) -> None:
    """Exit status 3, and what to do: move it aside, all can be built again."""
    state = state_of(root)
    for path in state.glob("index.db-*"):
        path.unlink()
    (state / "index.db").write_bytes(b"no database at all" * 1000)
    answer = ask("--vault", root, "--json", *words)
    assert "move it aside" in assert_error(answer, 3, "store-corrupt")


def test_a_database_moved_aside_is_built_again(root: Path) -> None:
    """The way out that the error names works: the same notes with the same uids."""
    before = ask("--vault", root, "dump", "--uids").out
    for path in state_of(root).glob("index.db*"):
        path.unlink()
    assert ask("sync", root).status == 0
    assert ask("--vault", root, "dump", "--uids").out == before


@pytest.mark.parametrize("state", ["file", "file/below"])
def test_a_state_that_can_not_be_made(untouched: Path, tmp_path: Path, state: str) -> None:
    """Exit status 3: no folder can be made where a file stands."""
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    answer = ask("--state", tmp_path / state, "sync", untouched, "--json")
    assert "--state" in assert_error(answer, 3, "state-unusable")
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("where", ["Vault", "elsewhere"])
def test_a_state_folder_that_is_somebody_elses(untouched: Path, tmp_path: Path, where: str) -> None:
    """Exit status 3: a file that only looks like ours is never replaced, in the vault or beside it."""
    theirs = fill_vault(tmp_path / where, {"vault.json": '{"mine": 1}'}) / "vault.json"
    answer = ask("--state", theirs.parent, "sync", untouched, "--json")
    assert "--state" in assert_error(answer, 3, "state-unusable")
    assert theirs.read_text(encoding="utf-8") == '{"mine": 1}'
    assert not (untouched / "index.db").exists()


def test_a_lock_that_can_not_be_taken(root: Path) -> None:
    """Exit status 3: the state folder is at fault, not the program."""
    lock = state_of(root) / "lock"
    lock.unlink()
    lock.mkdir()
    assert_error(ask("sync", root, "--json"), 3, "state-unusable")


def test_init_where_nothing_can_be_written(untouched: Path) -> None:
    """Exit status 3, and what stands in the way is left as it is."""
    (untouched / ".vaultsync").write_text("mine", encoding="utf-8")
    assert_error(ask("init", untouched, "--json"), 3, "vault-unusable")
    assert (untouched / ".vaultsync").read_text(encoding="utf-8") == "mine"


def test_settings_saved_by_windows(root: Path) -> None:
    """A byte order mark before the first table is no fault."""
    fill_vault(root, {".vaultsync/config.toml": b"\xef\xbb\xbf[chunks]\r\nchunk_target = 100\r\n"})
    setting = ask("--vault", root, "config", "--json").json["settings"]["chunks.chunk_target"]
    assert setting["value"] == 100


@pytest.mark.parametrize("words", [("--vault", "", "sync"), ("sync", ""), ("sync", "--only", "")])
def test_an_empty_name_is_wrong_use(
    root: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit status 2: an unset variable of a script must not mean the folder that it runs in."""
    monkeypatch.chdir(root)
    assert_error(ask("--json", *words), 2, "usage")


def test_only_the_whole_vault(root: Path) -> None:
    """A dot means all that is in the folder where it is said."""
    fill_vault(root, {"New.md": "new", "Projects/Gamma.md": "gamma"})
    assert ask("sync", root, "--only", "Projects", "--json").json["added"] == 1
    assert ask("sync", root, "--only", ".", "--json").json["added"] == 1


def test_a_state_of_another_vault(root: Path, tmp_path: Path) -> None:
    """Exit status 3: two vaults never share a memory."""
    other = fill_vault(tmp_path / "Other", {"Only.md": "one"})
    answer = ask("--state", state_of(root), "sync", other, "--json")
    assert str(root) in assert_error(answer, 3, "state-unusable")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a command wait a moment for the holder of the lock, not half a minute."""
    monkeypatch.setattr(petition, "hold_or_ask", partial(petition.hold_or_ask, patience=0.1))


@pytest.mark.usefixtures("impatient")
def test_a_vault_that_another_process_holds(root: Path) -> None:
    """Exit status 4 for who wants to write, naming the holder; who reads does not wait."""
    with instance_lock.hold(state_of(root)):
        waiting = subprocess.run(
            [*command("status", "--vault", root, "--json")], capture_output=True, check=False
        )
        assert waiting.returncode == 0
        message = assert_error(ask("sync", root, "--json"), 4, "locked")
        assert f"process {os.getpid()}" in message
        assert ask("--vault", root, "search", "plan", "--json").json["hits"]
    assert ask("sync", root).status == 0


def test_an_interrupted_command(root: Path) -> None:
    """Exit status 130, in words, when Ctrl-C ends a command that waits."""
    state = state_of(root)
    (state / "vault.json").unlink()
    with instance_lock.hold(state):
        words = command("sync", root, "--json")
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        _await((state / "vault.json").exists)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert_error(Answer(process.returncode, out, err.decode()), 130, "interrupted")


def _await(happened: Callable[[], bool]) -> None:
    limit = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < limit
        time.sleep(0.01)


def test_a_reader_that_goes_away(root: Path) -> None:
    """`vaultsync dump | head -0` ends without a word."""
    with subprocess.Popen(
        command("--vault", root, "dump"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode in {0, -signal.SIGPIPE}


def test_held_removals_need_a_person(home: Path, tmp_path: Path) -> None:
    """Exit status 1 while removals are held back; the index keeps all until they are accepted."""
    del home
    root = fill_vault(tmp_path / "Vault", {f"{number}.md": f"note {number}" for number in range(20)})
    ask("sync", root)
    for number in range(11):
        (root / f"{number}.md").unlink()
    answer = ask("sync", root, "--json")
    assert (answer.status, answer.json["removed"], answer.json["held_removals"]) == (1, 0, 11)
    assert "11 of 20" in answer.json["refusal"]
    assert ask("--vault", root, "status", "--json").status == 1
    answer = ask("sync", root, "--accept-removals", "--json")
    assert (answer.status, answer.json["removed"], answer.json["held_removals"]) == (0, 11, 0)


# ---- odd vaults ----


def test_an_empty_vault(home: Path, tmp_path: Path) -> None:
    """A vault without notes is no error for any verb."""
    del home
    root = fill_vault(tmp_path / "Vault", {})
    assert ask("sync", root, "--json").json["added"] == 0
    for words in (("status",), ("search", "x"), ("dump",), ("doctor",), ("config",)):
        assert ask("--vault", root, *words).status == 0
    assert_error(ask("--vault", root, "show", "x", "--json"), 2, "unknown-ref")


def test_names_that_are_odd(home: Path, tmp_path: Path) -> None:
    """Blanks, umlauts, line breaks, 255 bytes, deep folders and names like options are names like others."""
    del home
    names = (
        "a\nb.md",
        " blank .md",
        "-q.md",
        "--json.md",
        "ü" * 126 + ".md",
        "/".join(["folder"] * 150) + "/deep.md",
        "100% [x] #1 'q' \"d\".md",
        "nul\\back.md",
        "e\u0301.md",
        "\u200e\u202e.md",
        "🌊.md",
        "zero.md",
    )
    root = fill_vault(tmp_path / "A vault  of Müller's", {name: f"owl in {name}" for name in names})
    (root / "zero.md").write_bytes(b"")
    answer = run_vaultsync("sync", "--json", here=root)
    assert (answer.status, answer.json["added"]) == (0, len(names)), answer.err
    hits = ask("--vault", root, "search", "owl", "-k", "50", "--json").json["hits"]
    assert {hit["path"] for hit in hits} == set(names) - {"zero.md"}
    for name in names:
        assert ask("--vault", root, "show", "--json", "--", name).json["path"] == name
        assert ask("--vault", root, "show", "--", name).status == 0
    for words in (("search", "owl", "-k", "50"), ("status",), ("dump",), ("doctor",)):
        assert ask("--vault", root, *words).status == 0


def test_things_that_are_no_notes(home: Path, tmp_path: Path) -> None:
    """Loops of links, pipes and names that are no text neither stop nor stall a sync; status counts them."""
    del home
    root = fill_vault(tmp_path / "Vault", {"Note.md": "text"})
    (root / "self.md").symlink_to("self.md")
    (root / "loop").symlink_to(root)
    (root / "inside.md").symlink_to("Note.md")
    (root / "outside.md").symlink_to(tmp_path)
    os.mkfifo(root / "pipe.md")
    try:
        (root / os.fsdecode(b"bad\xff.md")).write_text("text", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes no such names")
    answer = run_vaultsync("sync", "--json", here=root)
    assert (answer.status, answer.json["added"]) == (0, 1)
    left_out = ask("--vault", root, "status", "--json").json["left_out"]
    expected = {"special-file": 1, "name-not-utf8": 1, "symlink-inside": 2, "symlink-outside": 2}
    assert {rule: left_out[rule] for rule in expected} == expected
    assert ask("--vault", root, "doctor").status == 0
    assert ask("--vault", root, "show", "pipe.md", "--json").json["left_out"]["code"] == "special-file"
