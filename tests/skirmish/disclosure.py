"""What Skirmish tells in public of something hidden."""

from server.conformance.disclosure import Disclosure

DISCLOSURE = Disclosure({"CardShown": {"card": "SK-03"}})
