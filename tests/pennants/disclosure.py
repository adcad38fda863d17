"""What Pennants tells in public of something hidden."""

from server.conformance.disclosure import Disclosure

DISCLOSURE = Disclosure(
    {"CardShown": {"card": "PN-03"}, "BannerRaised": {"card": "PN-04"}, "Scored": {"score": "PN-04", "seat": "PN-05"}},
    {},
)
