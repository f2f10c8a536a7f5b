"""How often a code may be tried: a day of guessing, and a room of people who mistype."""

from companion.access import seats, throttle
from companion.access.throttle import SENDER, TABLE, Pace, Tries

DAY = 86_400.0


def tries_in_a_day(pace: Pace) -> int:
    """Try again at every moment at which it is allowed."""
    tries, now, made = Tries(), 0.0, 0
    while True:
        seconds = throttle.wait(tries, pace, now)
        if now + seconds > DAY:
            return made
        now += seconds + 1e-6
        tries = throttle.fail(tries, pace, now)
        made += 1


def test_no_code_is_guessable_within_a_day() -> None:
    good_at_a_time = 2 * len(seats.PARTS)
    chance = tries_in_a_day(TABLE) * good_at_a_time / len(seats.ALPHABET) ** seats.LENGTH
    assert tries_in_a_day(TABLE) < 2_500
    assert chance < 1 / 20_000


def test_never_more_than_ten_a_minute_after_the_first_ten() -> None:
    tries, now, made = Tries(), 0.0, []
    while now < 600:
        now += throttle.wait(tries, TABLE, now) + 1e-6
        tries = throttle.fail(tries, TABLE, now)
        made.append(now)
    for begin in made[10:]:
        assert sum(begin <= at < begin + 60 for at in made) <= 10


def test_the_more_fail_the_slower_it_goes() -> None:
    worn = Tries(spent=TABLE.at_once, failed=300.0)
    assert throttle.wait(worn, TABLE, 0.0) > 3 * throttle.wait(Tries(spent=TABLE.at_once), TABLE, 0.0)


def test_a_room_of_people_who_mistype_gets_in() -> None:
    """Six players, each wrong twice, on phones of their own, all within a minute; nobody waits."""
    table, now = Tries(), 0.0
    for _ in range(6):
        sender = Tries()
        for _ in range(2):
            now += 5
            assert throttle.wait(table, TABLE, now) == throttle.wait(sender, SENDER, now) == 0
            table, sender = throttle.fail(table, TABLE, now), throttle.fail(sender, SENDER, now)
        now += 5
        assert throttle.wait(table, TABLE, now) == throttle.wait(sender, SENDER, now) == 0


def test_one_phone_that_guesses_does_not_keep_the_room_out() -> None:
    table, sender, now = Tries(), Tries(), 0.0
    kept_out = 0
    while now < 3600:
        now += 1
        if throttle.wait(table, TABLE, now) == throttle.wait(sender, SENDER, now) == 0:
            table, sender = throttle.fail(table, TABLE, now), throttle.fail(sender, SENDER, now)
        kept_out += throttle.wait(table, TABLE, now) > 0
    assert kept_out == 0


def test_failures_are_forgotten() -> None:
    tries = throttle.fail(Tries(), SENDER, 0.0)
    assert not throttle.is_forgotten(tries, SENDER, 59.0)
    assert throttle.is_forgotten(tries, SENDER, 61.0)
