"""What Skirmish tells in public of something hidden."""

from server.conformance.telling import Telling

TELLING = Telling({"CardShown": {"card": "SK-03"}})
