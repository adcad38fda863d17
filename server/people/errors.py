"""The errors of this room.

server.errors.ServerError
+- SignInRefused      the client's: the challenge, the signature, the device, the code or the session opens nothing
+- AccountRefused     the client's: another person's handle, or one device too many; nothing has changed
"""

from server.errors import ServerError


class SignInRefused(ServerError):
    """The proof that was shown opens no account. The error does not say why."""

    code = "sign-in-refused"


class AccountRefused(ServerError):
    """The change cannot be made."""

    code = "account-refused"
