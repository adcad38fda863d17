"""Codes have the bits they are to have, and are read however they are copied."""

from server.people.codes import ALPHABET, PAIRING_BITS, RECOVERY_BITS, code_hash, new_code, pairing_number


def test_a_code_holds_its_bits() -> None:
    for bits in (RECOVERY_BITS, PAIRING_BITS):
        code = new_code(bits).replace("-", "")
        assert len(code) * 5 == bits
        assert set(code) <= set(ALPHABET)
        assert new_code(bits) != new_code(bits)


def test_a_code_is_of_one_purpose() -> None:
    assert code_hash("recovery", "ABCD") == code_hash("recovery", " ab-cd ") != code_hash("pairing", "ABCD")
    assert code_hash("recovery", "ABCD") != code_hash("recovery", "ABCE")


def test_the_number_is_twelve_digits_of_the_code_and_the_key() -> None:
    number = pairing_number("AB-CD", "k")
    assert number == pairing_number("abcd", "k")
    assert [len(part) for part in number.split()] == [4, 4, 4]
    assert len({number, pairing_number("ABCE", "k"), pairing_number("ABCD", "K")}) == 3
