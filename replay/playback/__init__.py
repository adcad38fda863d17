"""Any moment of a record: sought, followed, told in words, and gone on from."""
