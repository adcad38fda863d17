"""The build hook of a wheel whose hottest modules are compiled by mypyc; `scripts/compile` runs it.

The wheel holds sources and compiled modules of one state of the checkout, and nothing is ever compiled into the
checkout. Therefore no compiled module can hide a source that was changed after compilation.
"""

import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Classes of msgspec are left out too: compiled, they are no longer frozen. The evolve functions of War for Edaðh are
# left out: compiled, they return tuples that are equal but not identical, and a line leaves out defaults by identity.
MODULES: Final = (
    "domain/commons/cards.py",
    "domain/commons/rows.py",
    "domain/disciples_legacy/state/evolve.py",
    "domain/disciples_legacy/state/evolve_battle.py",
    "domain/disciples_legacy/state/evolve_members.py",
    "domain/disciples_legacy/state/evolve_state.py",
    "domain/disciples_legacy/state/formation.py",
    "domain/disciples_legacy/state/queries.py",
    "domain/disciples_legacy/state/stats.py",
    "domain/joan_of_arc/state/evolve.py",
    "domain/joan_of_arc/state/evolve_attack.py",
    "domain/joan_of_arc/state/evolve_state.py",
    "domain/joan_of_arc/state/evolve_units.py",
    "domain/joan_of_arc/board/hexes.py",
    "domain/joan_of_arc/state/queries.py",
    "domain/joan_of_arc/board/sight.py",
    "domain/kernel/evolve.py",
    "domain/kernel/play.py",
    "domain/kernel/playout.py",
    "domain/kernel/resolver.py",
    "domain/vera_discordia/state/evolve.py",
    "domain/vera_discordia/state/queries.py",
    "domain/war_for_edadh/state/queries.py",
    "domain/war_for_edadh/state/stats.py",
)
"""The modules in which random play spends its time, as far as mypyc can compile them."""


class CompiledWheel(BuildHookInterface[Any]):
    """Compiles in a temporary folder and puts the compiled modules into the wheel beside the sources."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Raises `subprocess.CalledProcessError` if mypyc or the C compiler fails."""
        self._folder = TemporaryDirectory()
        folder = Path(self._folder.name)
        shutil.copytree(Path(self.root, "domain"), folder / "domain", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "mypy.ini").write_text("[mypy]\nstrict = true\n", encoding="utf-8")
        subprocess.run([sys.executable, "-m", "mypyc", *MODULES], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(folder / "build")
        made = [path for path in folder.rglob(f"*{EXTENSION_SUFFIXES[0]}") if path.is_file()]
        build_data["force_include"].update({str(path): path.relative_to(folder).as_posix() for path in made})
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the temporary folder."""
        self._folder.cleanup()
