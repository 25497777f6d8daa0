"""Set-up: the commands of make, and the scripts that install what is missing."""

import os
import re
import shutil
import stat
import subprocess

import pytest
from places import ROOT

TARGETS = {"setup", "reproduce", "smoke", "paper", "report", "test", "lint", "format", "lock"}
TARGETS |= {"clean", "help", "mutants", "records", "readme", "docs", "dist", "test-newest"}
TARGETS |= {"test-studies", "test-versions", "test-core", "test-records", "test-slurm", "spreads"}
MARK = "pytest.mark." + "studies"

LOCK = (ROOT / "requirements.lock").read_text()
ENTRIES = re.split(r"\n(?=\S)", LOCK)


def test_readers_and_continuous_integration_are_told_the_same_test_command():
    texts = [ROOT / ".ci" / "run", *ROOT.glob("README.md"), ROOT / "CONTRIBUTING.md"]
    for path in texts:
        assert re.search(r"\bmake test\b", path.read_text()), path.name


def test_every_test_is_run_by_one_of_the_two_commands():
    marked = [path for path in (ROOT / "tests").rglob("*.py") if MARK in path.read_text()]
    assert {path.parent.name for path in marked} == {"workflow"}
    plans = {
        name: run(["make", "--dry-run", name], ROOT).stdout for name in ("test", "test-studies")
    }
    assert '-m "not studies"\n' in plans["test"]
    assert "-m studies tests/workflow\n" in plans["test-studies"]


def run(command, cwd, **environment):
    """The finished process, run without the settings of an outer make, of uv or of apt."""
    outer = ("MAKE", "UV_", "DEBIAN_")
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(outer)}
    streams = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    environment = inherited | {"MFLAGS": ""} | environment
    return subprocess.run(command, cwd=cwd, env=environment, check=False, **streams)


def write_program(path, *lines):
    path.write_text("\n".join((f"#!{shutil.which('bash')}", *lines, "")))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_help_is_the_default_and_lists_every_target():
    done = run(["make"], ROOT)
    assert done.returncode == 0, done.stderr
    assert set(re.findall(r"^make (\S+) +\S", done.stdout, flags=re.MULTILINE)) == TARGETS


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_every_target_can_be_planned(target):
    done = run(["make", "--dry-run", target], ROOT)
    assert done.returncode == 0, done.stderr


IN_CI = ["lint", "docs", "test", "test-records", "test-studies", "test-newest"]


@pytest.mark.parametrize("failing", [*IN_CI, "none"])
def test_ci_runs_lint_docs_and_all_tests_and_fails_with_any(tmp_path, failing):
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    programs = tmp_path / "programs"
    programs.mkdir()
    write_program(programs / "make", f'echo "$1 CI=$CI" >>{tmp_path}/calls; [ "$1" != {failing} ]')
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    done = run([tmp_path / ".ci" / "run"], tmp_path, PATH=path)
    calls = (tmp_path / "calls").read_text().split("\n")[:-1]
    reached = IN_CI[: IN_CI.index(failing) + 1] if failing in IN_CI else IN_CI
    assert calls == [f"{target} CI=true" for target in reached]
    assert (done.returncode == 0) == (failing == "none")


@pytest.fixture
def world(tmp_path):
    """A tree with the set-up scripts, and a PATH that holds nothing but a few basic tools."""
    shutil.copytree(ROOT / "workflow" / "setup", tmp_path / "workflow" / "setup")
    programs = tmp_path / "programs"
    programs.mkdir()
    for tool in ("cat", "dirname", "env", "mkdir"):
        (programs / tool).symlink_to(shutil.which(tool))
    return tmp_path


def install_latex(world, **environment):
    script = world / "workflow" / "setup" / "install_latex.sh"
    environment = {"PATH": str(world / "programs"), "SHAPAUDIT_LATEX": ""} | environment
    return run([shutil.which("bash"), script], world, **environment)


def add_latex(world, lacking="nothing"):
    write_program(world / "programs" / "latexmk")
    write_program(world / "programs" / "kpsewhich", f'[ "$1" != {lacking} ]')


def add_apt(world, user, *behaviour):
    """An apt-get that records its calls, run by root (user 0) or by somebody else."""
    write_program(world / "programs" / "id", f"echo {user}")
    write_program(
        world / "programs" / "apt-get",
        f'echo "${{AS:-}} $DEBIAN_FRONTEND: $*" >>{world}/apt-calls; echo noise',
        *behaviour,
    )


def apt_calls(world):
    path = world / "apt-calls"
    return path.read_text().splitlines() if path.exists() else []


def assert_explained(done, *words):
    assert done.returncode == 0, done.stderr
    for word in ("Everything but the PDF", "apt-get install", *words):
        assert word in done.stdout


def test_latex_that_is_there_is_left_alone(world):
    add_latex(world)
    add_apt(world, 0)
    done = install_latex(world)
    assert done.returncode == 0
    assert "found" in done.stdout
    assert apt_calls(world) == []


def test_latex_is_skipped_on_request(world):
    add_apt(world, 0)
    done = install_latex(world, SHAPAUDIT_LATEX="skip")
    assert done.returncode == 0
    assert "skipped" in done.stdout
    assert apt_calls(world) == []


@pytest.mark.parametrize("lacking", ["everything", "siunitx.sty"])
def test_missing_latex_is_installed_by_root(world, lacking):
    programs = world / "programs"
    if lacking != "everything":
        add_latex(world, lacking)
    spare = world / "spare"
    spare.mkdir()
    write_program(spare / "latexmk")
    write_program(spare / "kpsewhich")
    (programs / "cp").symlink_to(shutil.which("cp"))
    add_apt(world, 0, f'case "$*" in *" install "*) cp {spare}/* {programs} ;; esac')
    done = install_latex(world)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("LaTeX: installed\n")
    update, install = apt_calls(world)
    assert update.endswith(" update")
    assert install.startswith(" noninteractive: -y ")
    packages = install.partition(" install --no-install-recommends ")[2].split()
    assert {"latexmk", "lmodern", "texlive-latex-extra", "texlive-science"} < set(packages)
    assert "noise" in (world / "logs" / "setup" / "latex.log").read_text()
    assert "noise" not in done.stdout


def test_missing_latex_without_apt_is_explained(world):
    write_program(world / "programs" / "id", "echo 0")
    assert_explained(install_latex(world), "latexmk", "natbib.sty")


@pytest.mark.parametrize(
    ("user", "calls", "words"),
    [
        (0, 2, ["the installation failed", "logs/setup/latex.log"]),
        (1000, 0, ["cannot be installed from here", "latexmk"]),
    ],
    ids=["failing", "not root"],
)
def test_latex_that_cannot_be_installed_is_explained(world, user, calls, words):
    add_apt(world, user, "exit 100")
    assert_explained(install_latex(world), *words)
    assert len(apt_calls(world)) == calls


def test_missing_latex_is_installed_through_sudo_without_a_password(world):
    add_apt(world, 1000)
    write_program(world / "programs" / "sudo", '[ "$1" = -n ] && shift && AS=sudo "$@"')
    (world / "programs" / "true").symlink_to(shutil.which("true"))
    assert_explained(install_latex(world), "still incomplete")
    assert [call.split()[0] for call in apt_calls(world)] == ["sudo", "sudo"]


def test_an_installation_that_changes_nothing_is_explained(world):
    add_latex(world, lacking="microtype.sty")
    add_apt(world, 0)
    done = install_latex(world)
    assert_explained(done, "still incomplete")
    assert done.stdout.endswith("Missing: microtype.sty\n")


def install_for_tests(world, part):
    script = world / "workflow" / "setup" / f"install_{part}.sh"
    return run(
        [shutil.which("bash"), script], world, PATH=str(world / "programs"), PYTHON="python3"
    )


def install_browser(world):
    return install_for_tests(world, "browser")


def test_a_browser_that_is_there_is_left_alone(world):
    add_apt(world, 0)
    for program in ("chromium", "chromedriver"):
        write_program(world / "programs" / program)
    assert install_browser(world).stdout == "Browser: found\n"
    assert apt_calls(world) == []


def test_a_missing_browser_is_installed_by_root(world):
    spare = world / "spare"
    spare.mkdir()
    for program in ("chromium", "chromedriver"):
        write_program(spare / program)
    (world / "programs" / "cp").symlink_to(shutil.which("cp"))
    add_apt(world, 0, f'case "$*" in *" install "*) cp {spare}/* {world}/programs ;; esac')
    assert install_browser(world).stdout.endswith("Browser: installed\n")
    assert apt_calls(world)[-1].endswith("chromium chromium-driver")


def test_openmp_that_is_there_is_left_alone(world):
    add_apt(world, 0)
    write_program(world / "programs" / "python3")
    assert install_for_tests(world, "openmp").stdout == "OpenMP: found\n"
    assert apt_calls(world) == []


def test_missing_openmp_is_installed_by_root(world):
    write_program(world / "programs" / "python3", f"[ -e {world}/installed ]")
    add_apt(world, 0, f'case "$*" in *" install "*) : >{world}/installed ;; esac')
    assert install_for_tests(world, "openmp").stdout.endswith("OpenMP: installed\n")
    assert apt_calls(world)[-1].endswith("libgomp1")


@pytest.mark.parametrize("part", ["browser", "openmp"])
@pytest.mark.parametrize(
    ("user", "words"),
    [(0, "the installation failed"), (1000, "cannot be installed from here")],
)
def test_what_tests_need_and_cannot_be_installed_is_explained(world, user, words, part):
    add_apt(world, user, "exit 100")
    done = install_for_tests(world, part)
    assert done.returncode == 0
    assert words in done.stdout
    assert "sudo apt-get install" in done.stdout


def install_python(world, **environment):
    script = world / "workflow" / "setup" / "install_python.sh"
    environment = {"PATH": str(world / "programs"), "PYTHON": "python3"} | environment
    return run([shutil.which("bash"), script], world, **environment)


def add_python(world, uv_status=0, pip_settings="", kernels_status=0):
    """A python3 whose virtual environments hold a python and a uv that record their calls."""
    for tool in ("cp", "head", "rm", "sed", "touch"):
        (world / "programs" / tool).symlink_to(shutil.which(tool))
    (world / "requirements.lock").write_text(LOCK)
    made = world / "made"
    made.mkdir()
    write_program(
        made / "python",
        f'case "$*" in "-m pip config list") echo "{pip_settings}" ;; esac',
        f'case "$*" in "-m shapaudit_audit.kernels") exit {kernels_status} ;; esac',
        f'case "$*" in "-m pip install"*) echo "pip ${{*: -1}}" >>{world}/calls ;; esac',
    )
    write_program(
        made / "uv",
        f'echo "uv ${{*: -1}} index=${{UV_DEFAULT_INDEX:-}}" >>{world}/calls; exit {uv_status}',
    )
    write_program(
        world / "programs" / "python3",
        'case "$*" in *--clear*) rm -rf .venv ;; esac',
        'if [ "$2" = venv ]; then mkdir -p .venv/bin; cp made/* .venv/bin; fi',
    )


@pytest.mark.parametrize(("status", "explained"), [(0, False), (1, True)])
def test_set_up_goes_on_where_kernels_cannot_be_compiled(world, status, explained):
    add_python(world, kernels_status=status)
    done = install_python(world)
    assert done.returncode == 0, done.stderr
    assert ("Not all could be compiled" in done.stdout) == explained
    assert (world / ".venv" / ".installed").exists()


@pytest.mark.parametrize(
    ("settings", "index"),
    [("", ""), ("global.index-url='file:///mirror'", "file:///mirror")],
)
def test_python_packages_come_from_the_lock_and_from_the_index_that_pip_uses(
    world, settings, index
):
    add_python(world, pip_settings=settings)
    done = install_python(world)
    assert done.returncode == 0, done.stderr
    calls = (world / "calls").read_text().splitlines()
    assert calls == ["pip .venv/uv.txt", f"uv requirements.lock index={index}", "pip ."]
    assert (world / ".venv" / ".installed").exists()
    first = (world / ".venv" / "uv.txt").read_text().splitlines()
    assert first == next(entry for entry in ENTRIES if entry.startswith("uv==")).splitlines()


def test_pip_installs_the_lock_where_uv_cannot(world):
    add_python(world, uv_status=1)
    assert install_python(world).returncode == 0
    assert (world / "calls").read_text().endswith("pip requirements.lock\npip .\n")
    assert (world / ".venv" / ".installed").exists()


def test_what_a_user_added_stays_where_pip_or_the_interpreter_is_gone(world):
    add_python(world)
    added = world / ".venv" / "lib" / "mine.py"
    added.parent.mkdir(parents=True)
    added.touch()
    (world / ".venv" / "bin").mkdir()
    (world / ".venv" / "bin" / "python").symlink_to(world / "gone")
    done = install_python(world)
    assert done.returncode == 0, done.stderr
    assert added.exists()
    assert (world / ".venv" / ".installed").exists()


def test_an_old_python_is_refused_with_the_remedy(world):
    write_program(world / "programs" / "python3", "exit 1")
    done = install_python(world)
    assert done.returncode == 1
    assert "3.11" in done.stderr
    assert "PYTHON=" in done.stderr
    assert not (world / ".venv").exists()


def test_versions_are_tested_in_environments_of_their_own(world):
    """A stand-in for uv notes what it installs where; the oldest packages fail a test."""
    (world / ".venv" / "bin").mkdir(parents=True)
    for tool in ("wc", "cp", "sed", "head"):
        (world / "programs" / tool).symlink_to(shutil.which(tool))
    write_program(world / ".venv" / "bin" / "python")
    made = 'case "$PWD/$0" in *oldest*) exit 1 ;; esac'
    write_program(world / "made", f'echo "pytest $*" >>{world}/calls', made)
    write_program(
        world / ".venv" / "bin" / "uv",
        f'echo "$*" >>{world}/calls',
        "folder=${*: -1}",
        'if [ "$1" = venv ]; then',
        'case "$*" in *absent*) exit 1 ;; esac',
        'mkdir -p "$folder/bin"; cp made "$folder/bin/python"; fi',
    )
    script = world / "workflow" / "setup" / "test_versions.sh"

    def tested(**environment):
        (world / "calls").write_text("")
        environment = {"PATH": str(world / "programs")} | environment
        return run([shutil.which("bash"), script, "-q", "tests"], world, **environment)

    done = tested(NEWEST_PYTHON="absent 3.99")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "Failed: oldest"
    calls = (world / "calls").read_text()
    for words in (
        "--require-hashes --requirement requirements.lock",
        "--python 3.99 build/versions/newest",
        "--all-extras --resolution lowest-direct",
    ):
        assert calls.count(words) == 1
    assert calls.count("pytest -m pytest -q tests") == 3
    done = tested(VERSIONS="newest", NEWEST_PYTHON="3.99")
    assert done.returncode == 0, done.stderr
    assert "oldest" not in (world / "calls").read_text()
    done = tested(VERSIONS="later")
    assert done.returncode == 1
    assert "there are lock, newest and oldest" in done.stderr
