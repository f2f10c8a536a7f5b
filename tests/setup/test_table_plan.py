"""What is asked, and what each card and press makes of it."""

from msgspec.structs import replace

from companion.devices.check.walk import Act, Step
from companion.devices.drivers.pico import Buzzers
from companion.devices.drivers.pn532_uart import Reader
from companion.devices.sensing import Appeared, Buzzed, Crowded, Failed, Gone, Sensing, Working
from companion.setup import table_plan as steps
from companion.setup.table_plan import Attached, Stage, TablePlan, take_sensing

READERS = tuple(Attached(name, Reader(place=name, port=name)) for name in ("left", "right"))
BOX = Attached("box", Buzzers(port="box", seats=(1, 2)))
NEW = TablePlan(stage=Stage.WALK, seats=2, devices=(*READERS, BOX))
CENTRE = Step(Act.LAY, "centre")
PAD_1 = Step(Act.LAY, "seat-1")
PRESS_1 = Step(Act.PRESS, "seat-1")


def laid(name: str, at: float = 0.0) -> tuple[str, Sensing]:
    return name, Appeared(name, "04A1", at)


def pressed(number: int, at: float = 0.0) -> tuple[str, Sensing]:
    return "box", Buzzed(number, at, 0.0, "")


def plan_after(*sensings: tuple[str, Sensing], plan: TablePlan = NEW) -> TablePlan:
    for name, sensing in sensings:
        plan = take_sensing(plan, name, sensing)
    return plan


def code_said(plan: TablePlan) -> str:
    return plan.said.code if plan.said else ""


def test_a_card_says_where_its_reader_is_and_a_press_whose_button_it_is() -> None:
    plan = plan_after(laid("right"), ("right", Gone("right", "04A1", 1.0)), laid("left", 9), pressed(2, 10))
    assert plan.belongs == {CENTRE: ("right", 0), PAD_1: ("left", 0), PRESS_1: ("box", 2)}
    assert plan.next_step == Step(Act.PRESS, "seat-2")  # no reader is left for its pad


def test_what_is_not_there_is_passed_over_once() -> None:
    plan = steps.passed_over(steps.passed_over(NEW, CENTRE), CENTRE)
    assert plan.next_step == PAD_1


def test_a_button_that_is_another_seats_is_told_and_may_be_taken() -> None:
    plan = replace(NEW, done=tuple(step for step in NEW.steps if step.act is Act.LAY))
    plan = plan_after(pressed(1), pressed(1, 5), plan=plan)
    assert code_said(plan) == "setup-taken-press"
    taken_over = steps.take(plan)
    assert taken_over.belongs == {Step(Act.PRESS, "seat-2"): ("box", 1)}
    assert taken_over.next_step == PRESS_1


def test_two_cards_at_once_belong_nowhere() -> None:
    plan = plan_after(laid("left", 1.0), laid("right", 1.5))
    assert code_said(plan) == "setup-both-lay"
    assert plan.belongs == {}
    assert plan.next_step == CENTRE


def test_two_buttons_at_once_belong_nowhere() -> None:
    plan = replace(NEW, done=(CENTRE, PAD_1))
    assert plan_after(pressed(1, 1.0), pressed(2, 1.05), plan=plan).belongs == {}


def test_two_cards_on_one_pad_are_told() -> None:
    assert code_said(plan_after(("left", Crowded("left", 1.0)))) == "setup-crowded"


def test_a_card_that_lay_there_already_says_nothing() -> None:
    plan = plan_after(("left", Appeared("left", "04A1", 0.0, already=True)))
    assert code_said(plan) == "walk-lies-already"
    assert plan.belongs == {}


def test_a_reader_that_is_unplugged_keeps_its_place_and_is_told_until_it_is_back() -> None:
    gone = plan_after(laid("left"), ("left", Failed("reader left", "gone", 1.0)))
    assert code_said(gone) == "setup-lost"
    assert gone.belongs == {CENTRE: ("left", 0)}
    assert not gone.devices[0].works
    back = plan_after(("left", Working("reader left", "", 2.0)), plan=gone)
    assert code_said(back) == "setup-back"
    assert back.devices[0].works


def test_back_asks_again_and_then_leads_to_the_page_before() -> None:
    plan = steps.step_back(plan_after(laid("left")))
    assert (plan.next_step, plan.belongs) == (CENTRE, {})
    assert steps.step_back(plan).stage is Stage.FOUND


def test_what_is_gone_when_it_is_looked_again_belongs_nowhere() -> None:
    plan = steps.take_devices(plan_after(laid("left")), [READERS[1], BOX], ())
    assert (plan.next_step, plan.belongs) == (CENTRE, {})


def test_the_number_of_seats_follows_what_is_found_until_the_walk_begins() -> None:
    three = Attached("third", Reader(place="third", port="third"))
    six = Attached("six", Buzzers(port="six", seats=tuple(range(1, 7))))
    assert (
        steps.take_devices(TablePlan(), [*READERS, three, six], ()).seats == 2
    )  # a box has room for six, whatever is wired
    assert steps.take_devices(TablePlan(), [READERS[0], six], ()).seats == 6
    assert steps.take_devices(NEW, [six], ()).seats == NEW.seats


def test_what_belonged_to_a_seat_that_is_gone_is_free() -> None:
    plan = steps.around(
        plan_after(laid("left"), ("left", Gone("left", "04A1", 1)), laid("right", 9), pressed(1, 10)), 2
    )
    wider = plan_after(pressed(2, 20), plan=plan)
    assert steps.around(replace(wider, seats=6), 2).belongs == wider.belongs
    assert Step(Act.PRESS, "seat-2") in wider.belongs
    assert Step(Act.PRESS, "seat-3") not in steps.around(replace(wider, seats=3), 3).done


def test_a_place_may_be_asked_for_once_more() -> None:
    plan = steps.finished(plan_after(laid("left")))
    assert plan.next_step is None
    assert steps.ask_again(plan, "centre").next_step == CENTRE


def test_a_seat_with_a_pad_and_no_button_presses_on_a_phone() -> None:
    plan = steps.finished(plan_after(laid("left"), ("left", Gone("left", "04A1", 1)), laid("right", 9)))
    assert (steps.buttonless(plan), steps.missing(plan)) == (["seat-1"], ["seat-2"])
