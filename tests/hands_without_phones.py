"""What hands do in each game at a table without phones, from what the big screen asks for."""

from collections.abc import Callable, Sequence

from companion import games
from companion.act_cards import ACT_CARDS, PILE_EMPTY, UNDO
from companion.game.playing_cards import SUITS
from companion.games.crazy_eights.cards import fits, is_eight
from companion.games.hearts.cards import QUEEN, cards_in_play, in_order, suit
from companion.games.speed_duel.cards import CARDS_OF, pile_for
from tests.waiting import until
from tests.without_phones import SEATS, Answer, Family, named_in


def stop_it(people: Family) -> Answer:
    """Bo has no stop card at first, then one; then the piles are empty. Cléo has no red card."""
    ended = 0
    hands = {1: ("red-1", "red-2"), 2: ("red-3",), 3: ()}

    def answer(screen: str) -> None:
        nonlocal ended
        if "shortest arms" in screen:
            people.press(1)
        elif "Any stop card left?" in screen:
            people.pause(1)
        elif "no red cards? Press again" in screen:
            people.pause(1.1)
            people.press(named_in(screen)[0])
        elif "See a stop card?" in screen:
            if ended == 2:
                people.lay("centre", ACT_CARDS.slug, PILE_EMPTY)
                return
            people.pause(0.7)
            people.press(2)
        elif "show a stop card" in screen:
            if ended == 0:
                people.pause(1.6)
                people.press(2)
            else:
                people.lay(2, "stop-it", "red-stop-1")
                people.pause(1.1)
        elif "Count your red cards" in screen:
            seat = people.lit("waiting")[0]
            for card in hands[seat]:
                people.lay(seat, "stop-it", card)
            until(lambda: people.counted(seat) >= len(hands[seat]))
            people.press(seat)
        elif "start again" in screen:
            ended += 1
            people.press(named_in(screen)[0])

    return answer


def go(people: Family) -> Answer:
    """Whoever starts calls at once; the best series counts."""
    deck = people.hands

    def answer(screen: str) -> None:
        if "Hit your buzzer for ¡Go!" in screen:
            people.chance.shuffle(deck)
            people.press(named_in(screen)[0])
        elif "tap the open row card" in screen:
            people.lay("centre", "go", deck[36])
        elif "press for the best series" in screen:
            people.press(named_in(screen)[0])
        elif "Tap your twelve cards" in screen or "to show" in screen:
            for seat in people.lit("waiting", "first"):
                for card in deck[12 * seat - 12 : 12 * seat]:
                    people.lay(seat, "go", card)

    return answer


def stop_me_go(people: Family) -> Answer:
    """Ana stops the first gangster of each round."""
    colours = dict(zip(SEATS, ("red", "orange", "yellow"), strict=True))
    gangsters = [f"gangster-{number}" for number in range(1, 11)]
    tokens = [card for card in games.known()["stop-me-go"].deck if card.startswith("token")]
    lays = 0

    def answer(screen: str) -> None:
        nonlocal lays
        if "urn over a gangster" in screen or "next gangster" in screen or "Turn one over" in screen:
            gangster = gangsters.pop(0)
            gangsters.append(gangster)
            people.lay("centre", "stop-me-go", gangster)
        elif "Lay a card on" in screen:
            lays += 1
            turn = (lays - 1) % 4 + 1
            for seat in people.lit("waiting"):
                card = "stop" if (seat, turn) == (1, 1) else f"go-{turn}"
                people.lay(seat, "stop-me-go", f"{colours[seat]}-{card}")
        elif "Hit a buzzer to reveal" in screen:
            people.pause(0.6)
            people.press(2)
        elif "take a token" in screen:
            people.lay(named_in(screen)[0], "stop-me-go", tokens.pop())

    return answer


def kartel(people: Family) -> Answer:
    """Everybody takes what they like; the first token is put back, and taken again."""
    tokens = [*games.known()["kartel"].deck]
    bosses = [card for card in tokens if card.endswith("boss")]
    order = ["red-1", *bosses]
    tokens_taken: list[str] = []

    def answer(screen: str) -> None:
        if "roll and tap your token" not in screen:
            return
        seat = named_in(screen)[0]
        if tokens_taken == ["red-1"]:
            tokens_taken.append("")
            people.lay(1, ACT_CARDS.slug, UNDO)
            return
        card = order.pop(0)
        if not tokens_taken:
            order.insert(0, card)
        tokens_taken.append(card)
        people.lay(seat, "kartel", card)

    return answer


def hearts(people: Family) -> Answer:
    """Everybody passes and presses, then plays what they hold, of the suit that was led if they can."""
    deck = cards_in_play(3)
    hands: dict[int, list[str]] = {1: [], 2: [], 3: []}
    trick: list[str] = []

    def play(seat: int, card: str) -> None:
        hands[seat].remove(card)
        trick.append(card)
        if len(trick) == len(hands):
            trick.clear()
        people.lay(seat, "playing-cards", card)

    def answer(screen: str) -> None:
        if "then press" in screen:
            for seat in people.lit("waiting")[:1]:
                people.press(seat)
        elif "Whoever holds the" in screen:
            for number, hand in enumerate(hands.values()):
                hand[:] = in_order(deck[number::3])
            play(next(seat for seat, hand in hands.items() if "clubs-2" in hand), "clubs-2")
        elif "leads the next trick" in screen or "follows the" in screen:
            seat = named_in(screen)[0]
            following = [card for card in hands[seat] if trick and suit(card) == suit(trick[0])]
            harmless = [card for card in hands[seat] if suit(card) != "hearts" and card != QUEEN]
            play(seat, (following or harmless or hands[seat])[-1])

    return answer


def crazy_eights(people: Family) -> Answer:
    """Everybody lays the first card that fits, presses once after an eight, or draws and presses."""
    hands: dict[int, list[str]] = {1: [], 2: [], 3: []}
    pile: list[str] = []
    top = asked_for = ""

    def answer(screen: str) -> None:
        nonlocal top, asked_for
        seat = named_in(screen)[0]
        if "turn one up" in screen:
            pile[:] = people.chance.sample([*games.known()["crazy-eights"].deck], 52)
            for hand in hands.values():
                hand[:] = [pile.pop() for _ in range(5)]
            top = next(card for card in pile if not is_eight(card))
            pile.remove(top)
            asked_for = suit(top)
            people.lay("centre", "playing-cards", top)
        elif "tap all cards left" in screen:
            for card in hands[seat]:
                people.lay("centre", "playing-cards", card)
        elif "draw and press" in screen or "lay what fits" in screen:
            fitting = [card for card in hands[seat] if fits(card, top, asked_for)]
            if not fitting:
                if pile and "draw and press" in screen:
                    hands[seat].append(pile.pop())
                people.press(seat)
                return
            top = fitting[0]
            asked_for = suit(top)
            hands[seat].remove(top)
            people.lay("centre", "playing-cards", top)
            if is_eight(top) and hands[seat]:
                people.press(seat)
                asked_for = (*SUITS, SUITS[0])[SUITS.index(asked_for) + 1]

    return answer


def speed_snap(people: Family) -> Answer:
    """Everybody turns the next card, and seat 2 presses for each two that are alike."""
    cards = [*games.known()["speed-snap"].deck]
    ranks: list[str] = []

    def answer(screen: str) -> None:
        if len(ranks) > 1 and ranks[-1] == ranks[-2]:
            people.press(2)
            ranks.clear()
        if "turn a card" in screen or "Turn the first" in screen:
            if not cards:
                return
            card = cards.pop(people.chance.randrange(len(cards)))
            ranks.append(card.partition("-")[2])
            people.lay("centre", "playing-cards", card)

    return answer


SHORT_SPEED = 8
"""Cards each."""


def speed_duel(people: Family) -> Answer:
    """Both turn up a card, then lay whatever fits, and press once nothing does."""
    stocks = {seat: people.chance.sample(cards, len(cards)) for seat, cards in zip((1, 2), CARDS_OF, strict=True)}
    hands = {seat: [stock.pop() for _ in range(5)] for seat, stock in stocks.items()}
    tops = ["", ""]
    number_laid = {1: 0, 2: 0}

    def lay(seat: int, card: str, pile: int) -> None:
        tops[pile] = card
        number_laid[seat] += 1
        people.lay("centre", "playing-cards", card)

    def race() -> None:
        laying = True
        while laying:
            laying = False
            for seat, hand in hands.items():
                fitting = [(card, pile) for card in hand if (pile := pile_for(card, tops)) is not None]
                if fitting and SHORT_SPEED not in number_laid.values():
                    card, pile = fitting[0]
                    hand[hand.index(card)] = stocks[seat].pop()
                    lay(seat, card, pile)
                    laying = True

    def answer(screen: str) -> None:
        if "turn up" in screen:
            for seat in people.lit("waiting"):
                lay(seat, stocks[seat].pop(), seat - 1)
        elif "One higher or lower" in screen:
            race()
            people.press(1)
            people.press(2)

    return answer


GAMES: Sequence[tuple[str, Callable[[Family], Answer], dict[str, str]]] = (
    ("stop-it", stop_it, {}),
    ("go", go, {"target": "1"}),
    ("stop-me-go", stop_me_go, {"target": "2"}),
    ("kartel", kartel, {}),
    ("hearts", hearts, {"limit": "20"}),
    ("crazy-eights", crazy_eights, {"limit": "20"}),
    ("speed-snap", speed_snap, {"deals": "1"}),
    ("speed-duel", speed_duel, {"cards": str(SHORT_SPEED)}),
)
"""Each game, what hands do in it, and the options that make it short."""
