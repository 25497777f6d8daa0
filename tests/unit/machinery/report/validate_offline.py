"""The validator of crates without a network; run by its own interpreter, with its arguments.

It fetches two JSON-LD contexts, which give the terms of a crate their meaning. Here they are the
terms of these contexts that our crates use; another term has no meaning then and is not seen.
"""

import io
import json

import requests
from requests.adapters import HTTPAdapter
from rocrate_validator.cli import cli

SCHEMA, BIOSCHEMAS = "http://schema.org/", "https://bioschemas.org/"
OF_SCHEMA = """
about actionStatus additionalType contentSize datePublished description encodingFormat endTime
exampleOfWork hasPart identifier instrument isBasedOn license mainEntity mentions name object
position programmingLanguage result softwareRequirements softwareVersion step url version
workExample ComputerLanguage CreateAction CreativeWork Dataset HowTo HowToStep SoftwareApplication
SoftwareSourceCode
"""
CONTEXTS = {
    "https://w3id.org/ro/crate/1.1/context": {
        **{term: SCHEMA + term for term in OF_SCHEMA.split()},
        "File": SCHEMA + "MediaObject",
        "ComputationalWorkflow": BIOSCHEMAS + "ComputationalWorkflow",
        "FormalParameter": BIOSCHEMAS + "FormalParameter",
        "input": BIOSCHEMAS + "ComputationalWorkflow#input",
        "conformsTo": "http://purl.org/dc/terms/conformsTo",
    },
    "https://w3id.org/ro/terms/workflow-run/context": {
        "sha256": "https://w3id.org/ro/terms/workflow-run#sha256",
    },
}


def answer(
    adapter: HTTPAdapter, request: requests.PreparedRequest, **_: object
) -> requests.Response:
    """What the network would send; raises ConnectionError for any other address."""
    if request.url not in CONTEXTS:
        raise requests.ConnectionError(f"{request.url} is not asked for without a network")
    response = requests.Response()
    response.status_code, response.url, response.request = 200, request.url, request
    response.headers["Content-Type"] = "application/ld+json"
    response.raw = io.BytesIO(json.dumps({"@context": CONTEXTS[request.url]}).encode())
    return response


HTTPAdapter.send = answer
cli()
