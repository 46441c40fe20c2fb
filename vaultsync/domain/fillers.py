"""Words that a question is put with and that say nothing of what it is about.

That a word is common in a vault says the same, but not in a small one, nor in one of a single subject.
English, German, French and Spanish; folded.
"""

from __future__ import annotations

from typing import Final

FILLERS: Final = frozenset(
    """
    a about after again all also am an and any are as at be because been before being between both
    but by can could did do does doing during each for from further had has have having he her here
    hers him his how i if in into is it its just me more most my no nor not of off on once only or
    other our out over own same she should so some such than that the their them then there these
    they this those through to too under until up us very was we were what when where which while
    who whom whose why will with would you your
    aber als am auf aus bei das dass dem den der des dies diese dieser ein eine einem einen
    einer es fur habe haben ich ihr im in ist kann mein mit nach nicht oder sich sie sind
    soll sollte uber um und uns von vor wann warum was welche welcher wenn wer wie wieso wir wird wo
    wurde zu zum zur
    au aux avec ce ces cette comment dans de des du elle en est et etait ete il ils je la le les
    leur lui ma mais mes mon nous ont ou pas pourquoi qu quand que quel quelle quelles
    quels qui quoi sa ses sont sur une un vous
    al como con cual cuales cuando de del donde el ella ellos en es esta este ha hay la las lo los
    me mi mis muy nos o para pero por porque que quien se ser si sobre su sus un una unos y
    ya yo
    """.split()  # noqa: SIM905 -- a page of words reads better than a page of quotes
)
