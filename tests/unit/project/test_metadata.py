"""What catalogues and archives read of the project agrees with pyproject.toml, and with itself."""

import json
import re
import subprocess
import sys
import tomllib

import yaml
from packaging.specifiers import SpecifierSet
from places import ROOT


def load(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    return json.loads(text) if name.endswith("json") else yaml.safe_load(text)


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CODEMETA, ZENODO, CITATION = map(load, ("codemeta.json", ".zenodo.json", "CITATION.cff"))
BINDER = ROOT / "binder"


def test_names_and_descriptions_agree():
    assert PROJECT["name"] == CODEMETA["name"]
    assert PROJECT["description"] == CODEMETA["description"]
    assert PROJECT["description"] == ZENODO["description"] == CITATION["abstract"]
    title = PROJECT["name"] + ": " + PROJECT["description"][0].lower() + PROJECT["description"][1:]
    assert title == ZENODO["title"] == CITATION["title"]


def test_versions_licences_and_keywords_agree():
    for field in ("version", "license", "keywords"):
        theirs = [record[field] for record in (ZENODO, CITATION)]
        assert theirs == [PROJECT[field]] * 2, field
    assert CODEMETA["version"] == PROJECT["version"]
    assert CODEMETA["keywords"] == PROJECT["keywords"]
    assert CODEMETA["license"] == f"https://spdx.org/licenses/{PROJECT['license']}"
    first = (ROOT / "LICENSE").read_text().splitlines()[0]
    assert first == "BSD 3-Clause License"
    assert PROJECT["license"] == "BSD-3-Clause"


def test_requirements_agree():
    needed = [one["name"] + one["version"] for one in CODEMETA["softwareRequirements"]]
    assert needed == PROJECT["dependencies"]
    assert CODEMETA["runtimePlatform"] == f"Python {PROJECT['requires-python']}"
    assert f"Operating System :: {CODEMETA['operatingSystem']}" in PROJECT["classifiers"]


def test_what_codemeta_takes_for_addresses_are_addresses():
    """Its context gives these fields the type @id, so that any other text is a broken address."""
    assert all(one["@type"] == "SoftwareApplication" for one in CODEMETA["softwareRequirements"])
    given = [
        CODEMETA[key]
        for key in ("license", "developmentStatus", "codeRepository")
        if key in CODEMETA
    ]
    assert all(re.fullmatch(r"https://\S+", address) for address in given)


def cited(person):
    """A person or group of CITATION.cff as other files name them."""
    if "name" in person:
        return person["name"]
    return f"{person['family-names']}, {person['given-names']}"


def described(person):
    """A person or group of codemeta.json as other files name them."""
    if "name" in person:
        return person["name"]
    return f"{person['familyName']}, {person['givenName']}"


def test_authors_agree():
    names = [cited(person) for person in CITATION["authors"]]
    assert names == [described(person) for person in CODEMETA["author"]]
    assert names == [person["name"] for person in ZENODO["creators"]]
    reversed_ = [" ".join(name.split(", ")[::-1]) for name in names]
    assert reversed_ == [person["name"] for person in PROJECT["authors"]]


def test_what_only_owners_can_fill_is_in_all_files_or_in_none():
    addresses = {PROJECT.get("urls", {}).get("Repository")}
    addresses |= {CITATION.get("repository-code"), CODEMETA.get("codeRepository")}
    assert len(addresses) == 1
    assert CITATION.get("date-released") == CODEMETA.get("datePublished")
    assert CITATION.get("doi") == CODEMETA.get("identifier")


def test_the_page_of_publication_names_what_is_missing():
    page = (ROOT / "docs" / "publication.md").read_text(encoding="utf-8")
    for record, fields in (
        (CITATION, ("repository-code", "date-released", "doi")),
        (CODEMETA, ("codeRepository", "datePublished", "identifier")),
        (PROJECT, ("urls",)),
    ):
        missing = [field for field in fields if field not in record]
        assert all(f"`{field}`" in page for field in missing), missing


def test_the_archive_refers_to_every_paper_that_the_citation_does():
    related = {record["identifier"].lower() for record in ZENODO["related_identifiers"]}
    papers = {
        (record["doi"] if "doi" in record else f"arXiv:{record['number']}").lower()
        for record in CITATION["references"]
    }
    assert papers == related
    audited = re.findall(r"https://(?:doi|arxiv)\.org/(?:abs/)?([^)\s]+)\)", read_audited())
    assert {paper.lower().removeprefix("arxiv:") for paper in papers} == {
        paper.lower() for paper in audited
    }


def read_audited():
    """The end of the paragraph of README.md that names the papers."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return text.partition("these papers are repeated")[2].partition("\n\n")[0]


def test_the_layout_is_what_the_workflow_catalogue_asks_of_a_standardised_workflow():
    assert (ROOT / "config" / "README.md").is_file()
    assert 'include: "../Snakefile"' in (ROOT / "workflow" / "Snakefile").read_text()
    readme = (ROOT / "README.md").read_text(encoding="utf-8").lower()
    assert "snakemake" in readme
    assert "workflow" in readme
    usage = load(".snakemake-workflow-catalog.yml")["usage"]
    deployed = usage["software-stack-deployment"]
    rules = [path.read_text() for path in (ROOT / "workflow" / "rules").glob("*.smk")]
    assert deployed["conda"] == any("\n    conda:\n" in text for text in rules)
    assert deployed["apptainer"] == any("\n    container:\n" in text for text in rules)
    assert usage["report"] == any("report(" in text for text in rules)


def test_the_workflow_runs_from_the_place_of_the_catalogue():
    options = ["--dry-run", "--forceall", "--quiet", "rules", "--nocolor"]
    files = ["--snakefile", "workflow/Snakefile", "--configfile", "config/smoke.yaml"]
    command = [sys.executable, "-m", "snakemake", *options, *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    counts = dict(re.findall(r"^(\w+) +(\d+)$", done.stdout + done.stderr, re.MULTILINE))
    assert counts["whole_study"] == counts["build_site"] == counts["verify_evidence"] == "1"
    assert int(counts["run_estimators"]) > 10


def test_the_forge_runs_the_targets_of_continuous_integration():
    (job,) = load(".github/workflows/ci.yml")["jobs"].values()
    ours = re.findall(r'"make (\S+)"', (ROOT / ".ci" / "run").read_text())
    assert job["strategy"]["matrix"]["target"] == ours
    assert job["steps"][-1]["run"] == "make ${{ matrix.target }}"
    supported = SpecifierSet(PROJECT["requires-python"])
    assert job["steps"][1]["with"]["python-version"] in supported


def test_binder_installs_the_locked_packages_and_the_project():
    line = (BINDER / "requirements.txt").read_text().strip()
    assert (BINDER / line.removeprefix("-r ")).resolve() == ROOT / "requirements.lock"
    version = (BINDER / "runtime.txt").read_text().strip().removeprefix("python-")
    assert version in SpecifierSet(PROJECT["requires-python"])
    build = BINDER / "postBuild"
    assert build.stat().st_mode & 0o111
    assert "pip install --no-deps" in build.read_text()
