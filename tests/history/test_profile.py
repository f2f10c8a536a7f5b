"""A player over all their matches: form, others, achievements."""

import pytest
from msgspec.structs import replace

from companion import games
from companion.history.achievements import declared
from companion.history.profile import Profile, mark, profile
from companion.history.souvenir import Highlight, Souvenir
from companion.history.standings import Result, Seated
from companion.words import catalogue


def played(match: int, *names: str, game: str = "kartel", day: int = 20, **more: object) -> Result:
    """Of these people, in the order of their places."""
    players = tuple(Seated(seat, name, 0, seat) for seat, name in enumerate(names, 1))
    began = f"2026-11-{day}T20:{match % 60:02}:00+01:00"
    return Result(match, began, False, game, players, over=True, **more)  # type: ignore[arg-type]


def profile_of(name: str, *results: Result, hidden: tuple[str, ...] = ()) -> Profile:
    found_profile = profile(results, mark(name), hidden)
    assert found_profile
    return found_profile


def reached(profile_of_person: Profile) -> dict[str, int]:
    """Return what is achieved, and with which match."""
    return {achievement.what.code: achievement.at.match for achievement in profile_of_person.achieved if achievement.at}


def test_a_page_is_one_persons_however_their_name_is_typed() -> None:
    persons_profile = profile_of("cléo", played(1, "CLÉO", "Bo"), played(2, "Bo", "Cléo ", "Ana"))
    assert (persons_profile.name, [match.me.place for match in persons_profile.form]) == ("Cléo", [1, 2])


def test_who_never_played_has_no_page_and_nor_has_a_bot() -> None:
    assert profile([played(1, "Bot Kim", "", "Ana")], mark("Bo")) is None
    assert profile([played(1, "Bot Kim", "", "Ana")], mark("Bot Kim")) is None
    assert profile([played(1, "Bot Kim", "", "Ana")], mark("")) is None


def test_against_others_it_counts_who_was_in_front() -> None:
    anas_profile = profile_of("Ana", played(1, "Ana", "Bo"), played(2, "Bo", "Ana", "Bot Kim"), played(3, "bo", "Ana"))
    assert [(rival.name, rival.played, rival.ahead, rival.behind) for rival in anas_profile.rivals] == [("bo", 3, 1, 2)]


def test_of_whom_is_hidden_nothing_is_told_beside_others() -> None:
    assert profile_of("Ana", played(1, "Ana", "Bo"), hidden=(mark("Bo"),)).rivals == ()


def test_old_evenings_count_and_tell_when_it_was_achieved() -> None:
    matches = [played(match, "Ana", "Bo") for match in range(1, 12)]
    matches_by_code = reached(profile_of("Ana", *matches))
    assert (
        matches_by_code["first-match"],
        matches_by_code["streak-3"],
        matches_by_code["matches-10"],
        matches_by_code["wins-10"],
    ) == (1, 3, 10, 10)
    assert "wins-50" not in matches_by_code


def test_what_is_under_way_tells_how_far_it_is() -> None:
    come_by_code = {
        achievement.what.code: achievement.come
        for achievement in profile_of("Ana", *(played(n, "Bo", "Ana") for n in range(3))).achieved
    }
    assert (come_by_code["matches-10"], come_by_code["good-loser"], come_by_code["first-win"]) == (3, 3, 0)


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("by-night", replace(played(1, "Bo", "Ana"), began="2026-11-21T01:10:00+01:00")),
        ("long", played(1, "Bo", "Ana", seconds=3700)),
        ("full-table", played(1, "Ana", "Bo", *"CDEF")),
        ("by-one", played(1, "Ana", "Bo", souvenir=Souvenir((Highlight("finish", (1,), 1),)))),
        ("comeback", played(1, "Ana", "Bo", souvenir=Souvenir((Highlight("comeback", (1,), 9),)))),
        ("bosses", played(1, "Ana", "Bo", souvenir=Souvenir(feats={"bosses": (1,)}))),
    ],
)
def test_a_single_match_can_be_enough(code: str, result: Result) -> None:
    assert code in reached(profile_of("Ana", result))
    assert code not in reached(profile_of("Bo", result)) or code in ("by-night", "long")


def test_level_is_not_ahead_by_one() -> None:
    level = Souvenir((Highlight("finish", (1,), 0),))
    assert "by-one" not in reached(profile_of("Ana", played(1, "Ana", "Bo", souvenir=level)))


def test_a_feat_is_its_games_alone() -> None:
    other = played(1, "Ana", "Bo", game="go", souvenir=Souvenir(feats={"bosses": (1,)}))
    assert "bosses" not in reached(profile_of("Ana", other))


def test_there_are_some_thirty_achievements_of_every_game_and_each_once() -> None:
    codes = [(achievement.game, achievement.code) for achievement in declared()]
    assert len(codes) == len(set(codes)) >= 30
    assert {game for game, _ in codes} == {None, *games.known()}
    for slug, code in codes:
        assert slug is None or f"feat-{code}-how" in catalogue(slug)
