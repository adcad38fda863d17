"""What all tests share: searches without a deadline, for a busy machine is no defect."""

from hypothesis import settings

settings.register_profile("herald", deadline=None)
settings.load_profile("herald")
