"""The scripted chance of tests of rules: exactly these dice, and the present order unless another is given."""

from collections.abc import Iterable, Sequence

from domain.kernel import HiddenDraw, PublicDraw
from replay.scenarios.chance import ScriptedChance


class Script(ScriptedChance):
    """A scripted chance that fails at once if the rules want anything other than the test says."""

    def __init__(self, dice: Iterable[int] = (), shuffles: Iterable[Sequence[int]] = ()) -> None:
        super().__init__(list(dice), [list(order) for order in shuffles])

    def dice(self, count: int, sides: int) -> PublicDraw:
        """The next faces. Fails when the rules roll more than the test says."""
        rolled = super().dice(count, sides)
        assert not self.short, f"{count} dice are rolled, the script has {self.rolled[-1]}"
        assert not self.wrong, self.wrong
        return rolled

    def shuffle(self, size: int) -> HiddenDraw:
        """The next order given, else none."""
        if not self._orders:
            self._orders.append("as is")
        drawn = super().shuffle(size)
        assert not self.wrong, self.wrong
        return drawn

    def assert_spent(self) -> None:
        """Fail where the rules rolled less than the test says."""
        assert not self._faces, f"{self._faces} were not rolled"

    def add(self, faces: Iterable[int]) -> None:
        """More dice, after the remaining ones."""
        self._faces += faces
