"""The kit that every game must pass: random games, with every promise of the contract checked on the way."""

from tablee.rules.conformance.breach import Breach
from tablee.rules.conformance.examination import Examination, Report, examine, fuzz
from tablee.rules.conformance.words import check_words

__all__ = ["Breach", "Examination", "Report", "check_words", "examine", "fuzz"]
