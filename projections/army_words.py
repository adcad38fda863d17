"""Forms and findings about armies in another language than English; missing texts stay English and are listed."""

from msgspec.structs import replace

from projections.armies import BuilderCard, BuilderField, BuilderForm, BuilderSection, DraftFault, DraftFinding
from projections.i18n.language import Language


class _Saying:
    """Translates texts into a language, and collects the texts that are left in English."""

    def __init__(self, said: Language) -> None:
        self._said = said
        self._left: set[str] = set()

    def __call__(self, text: str) -> str:
        if any(map(str.isalpha, text)) and not self._said.has(text):
            self._left.add(text)
        return self._said.text(text)

    @property
    def left(self) -> tuple[str, ...]:
        return tuple(sorted(self._left))


def translated_form(form: BuilderForm, said: Language) -> BuilderForm:
    """A form with its headings and its cards' texts in a language; names of cards stay."""
    say = _Saying(said)

    def field(one: BuilderField) -> BuilderField:
        return replace(one, label=say(one.label))

    def section(one: BuilderSection) -> BuilderSection:
        return replace(one, label=say(one.label), fields=tuple(map(field, one.fields)))

    def card(one: BuilderCard) -> BuilderCard:
        return replace(one, kind=say(one.kind), end=say(one.end), does=tuple(map(say, one.does)))

    told = replace(
        form,
        sections=tuple(map(section, form.sections)),
        cards=tuple(map(card, form.cards)),
        groups={group: say(name) for group, name in form.groups.items()},
    )
    return replace(told, english=say.left)


def translated_finding(found: DraftFinding, said: Language) -> DraftFinding:
    """A finding in a language."""
    say = _Saying(said)

    def fault(one: DraftFault) -> DraftFault:
        return replace(one, at=say(one.at), said=say(one.said))

    told = replace(found, unit=say(found.unit), faults=tuple(map(fault, found.faults)))
    return replace(told, english=say.left)
