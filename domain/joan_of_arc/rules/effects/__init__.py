"""Execution of the effect operations of cards (ledger 6.13): a procedure that runs them, and a module for each kind."""
