"""Section 4 of docs/record.md: chance as the secrets of a closed match show it."""

import pytest

from domain.kernel import ChanceAnchored, MatchCreated
from replay.audit.disclosed import check_disclosed
from replay.audit.verify import Verifier
from replay.errors import RecordInvalid
from replay.record import keychain, sealing
from replay.store.log import Keys

MID = bytes(range(16))
SECRETS = Keys(b"m" * 32, b"n" * 32, b"h" * 32)
CHAINS = keychain.Chains(SECRETS.k_n, SECRETS.hid)


def announce(*chains: int) -> None:
    """Announce these key chains one after the other, each checked against the secrets."""
    verifier = Verifier(sealing.b64(MID), {})
    hidden = sealing.b64(keychain.hidden_commitment(MID, SECRETS.hid))
    created = MatchCreated("g", {}, ("A", "B"), sealing.b64(CHAINS.first.anchor), hidden)
    announced = [
        ChanceAnchored(sealing.b64(CHAINS.chain(chain).anchor), keychain.CHAIN_LENGTH * place)
        for place, chain in enumerate(chains, 1)
    ]
    for event in (created, *announced):
        verifier.draws.take(event)
        check_disclosed(verifier, event, SECRETS)


def test_record_4_the_key_chains_are_the_ones_that_line_1_fixed_in_their_order() -> None:
    announce(1, 2, 3)


@pytest.mark.parametrize("chains", [(2,), (1, 1), (1, 3), (2, 1)], ids=str)
def test_record_4_another_key_chain_is_found(chains: tuple[int, ...]) -> None:
    with pytest.raises(RecordInvalid, match="new key chain is not the one that line 1 fixed"):
        announce(*chains)
