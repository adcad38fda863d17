"""What Skirmish tells in public of something hidden."""

from tests.conformance.telling import Telling

TELLING = Telling({"CardShown": {"card": "SK-03"}})
