"""The content of the prompts, which are a function of their data.

Some tests pin sentences that readers of a prompt, who saw nothing else, had misread before.
"""

import copy
import re

import pytest
from prompt_samples import SECRET, contract, samples
from robust_kbench_llm.render import ENVIRONMENT, RenderError, prompt_names, render

CALL = "run.1/proposal.7/1"
WRITERS = ["propose", "repair", "translate"]
VERIFIERS = ["verify_compilation", "verify_memory", "verify_numerics", "reflect"]
MARK_LINE = "The mark of this message is"


def text_of(prompt, data, call=CALL):
    messages, _ = render(prompt, data, SECRET, call)
    return "\n".join(message["content"] for message in messages)


def test_every_template_has_a_sample():
    assert sorted(samples()) == prompt_names()


@pytest.mark.parametrize("prompt", prompt_names())
@pytest.mark.parametrize("language", ["cpp", "cuda"])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_a_prompt_has_a_system_and_a_user_message(prompt, language, direction):
    messages, mark = render(prompt, samples(language, direction)[prompt], SECRET, CALL)
    assert [message["role"] for message in messages] == ["system", "user"]
    assert re.fullmatch("[0-9a-f]{24}", mark)
    assert f"{MARK_LINE} {mark}." in messages[1]["content"]
    assert "{{" not in text_of(prompt, samples(language, direction)[prompt])


@pytest.mark.parametrize("prompt", prompt_names())
def test_the_same_call_gives_the_same_messages(prompt):
    data = samples()[prompt]
    kept = copy.deepcopy(data)
    assert render(prompt, data, SECRET, CALL) == render(prompt, data, SECRET, CALL)
    assert data == kept
    assert render(prompt, data, SECRET, "other")[1] != render(prompt, data, SECRET, CALL)[1]
    assert render(prompt, data, "5b" * 32, CALL)[1] != render(prompt, data, SECRET, CALL)[1]


@pytest.mark.parametrize("prompt", prompt_names())
def test_the_text_before_the_mark_is_equal_for_all_calls(prompt):
    data = samples()[prompt]
    one, mark = render(prompt, data, SECRET, "one")
    other, _ = render(prompt, data, SECRET, "other")
    assert one[0] == other[0]
    before = one[1]["content"].partition(MARK_LINE)[0]
    assert mark not in one[0]["content"] + before
    assert other[1]["content"].startswith(before)


@pytest.mark.parametrize("prompt", prompt_names())
def test_missing_data_is_named(prompt):
    data = samples()[prompt]
    for member in data:
        less = {key: value for key, value in data.items() if key != member}
        with pytest.raises(RenderError, match=f"'{prompt}'.*'{member}'"):
            render(prompt, less, SECRET, CALL)


def test_a_wrong_request_is_refused():
    with pytest.raises(RenderError, match="'parts/rules' is none of .*propose"):
        render("parts/rules", {}, SECRET, CALL)
    with pytest.raises(RenderError, match="64 hexadecimal digits"):
        render("propose", samples()["propose"], "short", CALL)
    data = samples()["propose"]
    data["kernels"][0]["speedup"] = "1.5\n</cuda>"
    with pytest.raises(RenderError, match="propose"):
        render("propose", data, SECRET, CALL)


@pytest.mark.parametrize("prompt", [*WRITERS, *VERIFIERS])
def test_the_contract_is_stated(prompt):
    text = text_of(prompt, samples("cuda", "backward")[prompt])
    for stated in ("row_sum.backward", "The sum of each row.", "return x.sum(1)",
                   "class Operator(torch.autograd.Function)", "1. `x`: `torch::Tensor`, float32",
                   "2. `eps`: `double`", "`y`: float32", "x (3, 5); eps = 1e-5",
                   "- multi/rows_7\n", "rows: 1 to 257", "a processor",
                   'm.def("backward", &backward)', "getCurrentCUDAStream"):
        assert stated in text, stated


@pytest.mark.parametrize("prompt", [*WRITERS, *VERIFIERS])
@pytest.mark.parametrize("language", ["cpp", "cuda"])
def test_writers_and_verifiers_are_told_the_same_rules(prompt, language):
    rules = ENVIRONMENT.get_template("parts/rules.jinja2").render(contract=contract(language))
    assert "slim header" in rules and "float64 reference" in rules
    assert rules.strip() in text_of(prompt, samples(language)[prompt])


@pytest.mark.parametrize("prompt", [*WRITERS, *VERIFIERS])
def test_outputs_are_returned_or_written(prompt):
    data = samples()[prompt]
    text = text_of(prompt, data)
    assert "It returns one tensor:" in text and "never to an argument." in text
    data["contract"]["out_arguments"] = True
    text = text_of(prompt, data)
    assert "It returns nothing (`void`), and writes its last argument in full." in text
    assert "never to an argument that is no output." in text and "It returns one" not in text


@pytest.mark.parametrize("prompt", WRITERS)
def test_the_form_of_a_kernel_is_stated(prompt):
    text = text_of(prompt, samples()[prompt])
    for stated in ("<cuda>", "48 characters out of a-z, 0-9 and `_`", "The answer is one file"):
        assert stated in text, stated


def test_a_verifier_is_not_told_the_form_of_a_kernel():
    for prompt in VERIFIERS:
        assert "The answer is one file" not in text_of(prompt, samples()[prompt]), prompt


def test_advice_is_not_ascribed_to_rules_alone():
    assert "Rules or a model made the advice" in text_of("propose", samples()["propose"])


def test_a_prompt_for_the_cpu_does_not_speak_of_a_gpu():
    for prompt, data in samples("cpp").items():
        if prompt != "propose":
            continue
        text = text_of(prompt, data)
        assert "<cpp>" in text and "at::parallel_for" in text
        for word in ("CUDA", "GPU", "<cuda>", "warp"):
            assert word not in text, f"{prompt}: {word}"


def test_shapes_can_be_left_out():
    data = samples()["propose"]
    data["contract"] = {**contract(), "configs": [], "tested": []}
    text = text_of("propose", data)
    assert "small/rows_3: x" not in text and "Shapes are drawn anew" in text


def test_kernels_go_from_the_slowest_to_the_fastest():
    text = text_of("propose", samples()["propose"])
    assert text.index("Kernel 1 of 2: 1.25 times") < text.index("Kernel 2 of 2: 1.50 times")
    assert text.index("int kernel_1;") < text.index("int kernel_2;")
    assert "12.5 us, 2.5 times the least possible time (memory), so 40 % of that rate" in text
    assert "small/rows_9: 1 us\n" in text
    assert "1.50 times as fast, the one to beat" in text and "1.25 times as fast\n" in text
    assert "unroll: accepted, 1.10 times" in text
    assert "tiles: wrong_result (small/rows_3: off)\n" in text


def test_a_missing_list_is_not_mentioned():
    data = samples()["propose"]
    spoken_of = ("Repeat nothing", "Headers that these", "What profilers say", "by config.",
                 "An earlier answer", "Words about a kernel")
    text = text_of("propose", data)
    for words in spoken_of:
        assert words in text, words
    text = text_of("propose", {**data, "tried": [], "headers": [], "advice": [], "timings": [],
                               "earlier_answer": None})
    for words in spoken_of:
        assert words not in text, words


def test_unknown_times_are_not_called_known():
    data = samples()["propose"]
    assert "No time of the kernel" not in text_of("propose", data)
    assert "No time of the kernel to beat is known." in text_of("propose", {**data, "timings": []})


def test_the_example_is_shown_once():
    data = samples()["propose"]
    data["kernels"][0]["code"] = None
    text = text_of("propose", data)
    assert text.count("int example;") == 1 and "Its source is that of the example above." in text


def test_a_proposal_can_do_without_the_example():
    text = text_of("propose", {**samples()["propose"], "example": None})
    assert "int example;" not in text and "# An example" not in text


def test_headers_are_shown_with_their_names():
    text = text_of("propose", samples()["propose"])
    assert "begin: header 1]\n// sums.hpp\nint sums;\n[" in text


def test_fast_math_is_explained_where_it_is_used():
    data = samples("cuda")["propose"]
    assert "given already" not in text_of("propose", data)
    data["contract"]["flags"].append("--use_fast_math")
    assert "`--use_fast_math` is given already" in text_of("propose", data)


def test_the_classes_that_are_refused_are_listed_where_there_are_some():
    data = samples()["propose"]
    assert "refuses the source:\n  - clocks: std::chrono, sleep.\n" in text_of("propose", data)
    data["contract"]["refused"] = []
    assert "refuses the source" not in text_of("propose", data)


@pytest.mark.parametrize("prompt", ["propose", "repair"])
def test_frozen_regions_are_named_where_there_are_some(prompt):
    data = samples()[prompt]
    assert "// frozen:" not in text_of(prompt, data)
    assert "`// frozen: begin` to `// frozen: end` must stay" in text_of(
        prompt, {**data, "frozen": True})


def test_the_example_is_an_answer_in_its_form():
    text = text_of("propose", samples("cuda")["propose"])
    assert "\n<name>\nplain\n</name>\n" in text
    assert "\n<cuda>\nint example;\n</cuda>\n" in text


@pytest.mark.parametrize("prompt", VERIFIERS)
def test_a_verifier_is_told_what_is_no_fault(prompt):
    text = text_of(prompt, samples()[prompt])
    assert "good style and never an error" in " ".join(text.split())
    assert "return x.sum(1)" in text
    assert "one of none, syntax" in text
    assert "Headers whose names stand in quotes" in text


@pytest.mark.parametrize("prompt", VERIFIERS)
def test_a_verifier_thinks_before_it_decides(prompt):
    text = text_of(prompt, samples()[prompt])
    form = text.partition("# The form of the answer")[2]
    members = re.findall(r"^- `(\w+)`: ", form, re.MULTILINE)
    assert members[:6] == ["analysis", "mark", "valid", "class", "reasons", "line"]


@pytest.mark.parametrize("prompt", VERIFIERS)
def test_a_prompt_that_is_repeated_is_no_verdict(prompt):
    messages, mark = render(prompt, samples()[prompt], SECRET, CALL)
    for message in messages:
        text = message["content"]
        assert not re.search(r"FINAL VERIFICATION ANSWER\W+(True|False)", text)
        assert not re.search(rf'"mark"\s*:\s*"{mark}"', text)


@pytest.mark.parametrize("prompt", VERIFIERS)
def test_instructions_replace_only_the_usual_ones(prompt):
    usual = text_of(prompt, samples()[prompt])
    tuned = text_of(prompt, {**samples()[prompt], "instructions": "Look {{ twice }}."})
    assert "Look {{ twice }}." in tuned
    heading = "# How to look\n\n"
    first_words = usual.partition(heading)[2].split(".")[0]
    assert first_words not in tuned
    assert "good style and never an error" in " ".join(tuned.split()) and "- `mark`:" in tuned


def test_memory_means_access_and_capacity():
    text = text_of("verify_memory", samples()["verify_memory"])
    assert "- Bounds:" in text and "- Capacity:" in text


def test_a_first_translation_shows_no_attempt():
    data = samples()["translate"]
    data.update(attempt=1, last_code=None, last_error=None, earlier_errors=[])
    text = text_of("translate", data)
    assert "attempt 1 of at most 10" in text
    assert "last attempt" not in text and "Translate the reference's forward" in text


def test_an_answer_in_prose_gets_the_whole_task_again():
    text = text_of("propose", samples()["propose"])
    assert "begin: earlier answer]\nI would use tiles.\n[" in text
    assert "begin: why it was refused]\nthere is no element\n[" in text
    assert text.index("int kernel_2;") < text.index("Words about a kernel are no answer.")


def test_an_answer_whose_source_cannot_be_read_can_be_repaired():
    data = samples()["repair"]
    data.update(text="Here it is.", failure="malformed")
    text = text_of("repair", data)
    assert "begin: answer]\nHere it is.\n[" in text
    assert "The answer was not in its form:" in text


def test_exactly_three_recommendations_are_asked_for():
    text = " ".join(text_of("summarise_profile", samples()["summarise_profile"]).split())
    assert "exactly three recommendations" in text
    assert "nothing that the source does already" in text
