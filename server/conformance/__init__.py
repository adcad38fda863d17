"""What every game must pass: `herald conformance` and the tests play it at random and try to tell worlds apart."""
