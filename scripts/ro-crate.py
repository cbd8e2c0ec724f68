#!/usr/bin/env python3
"""Validates the RO-Crate metadata of a bundle without a network.

The package `rocrate` ships the terms of RO-Crate; they stand for the context that a validator would fetch.
Usage: scripts/ro-crate.py BUNDLE     needs `pip install rocrate roc-validator`
"""

import io
import sys
from importlib.resources import files as resources
from pathlib import Path

from requests.adapters import HTTPAdapter
from rocrate.rocrate import ROCrate
from rocrate_validator import services
from rocrate_validator.models import ValidationSettings
from urllib3 import HTTPResponse

TERMS = (resources("rocrate") / "data" / "ro-crate.jsonld").read_bytes()


class ShippedTerms(HTTPAdapter):
    """Answers every request for a context with the terms that are shipped."""

    def send(self, request, **_):
        head = {"Content-Type": "application/ld+json"}
        raw = HTTPResponse(io.BytesIO(TERMS), head, 200, preload_content=False)
        return self.build_response(request, raw)


HTTPAdapter.send = ShippedTerms.send

bundle = Path(sys.argv[1])
crate = ROCrate(bundle)
described = {entity.id for entity in crate.get_entities() if entity.type == "File"}
there = {str(path.relative_to(bundle)) for path in bundle.rglob("*") if path.is_file()}
assert there - described == {"SHA256SUMS", "ro-crate-metadata.json"}, there ^ described
assert described <= there, described - there
run = crate.dereference("#run")
assert run["instrument"]["name"] == "parlour" and run["result"], run

settings = ValidationSettings(rocrate_uri=str(bundle), profile_identifier="ro-crate-1.1")
result = services.validate(settings)
for issue in result.get_issues():
    print(f"{issue.severity.name}: {issue.message}")
assert not result.has_issues(), "the metadata are not valid"
print(f"RO-Crate 1.1: {len(described)} files described, no required check fails")
