package io.heddle.api.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.api.problem.RequestProblem;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;

final class ListRulesTest {
    private static final ListRules RULES = ListRules.of(List.of("name", "-name"), "prefix", "day", "on", "from");

    private static ListRequest parse(String... parameters) {
        Map<String, String[]> map = new HashMap<>();
        for (String parameter : parameters) {
            int equals = parameter.indexOf('=');
            map.merge(parameter.substring(0, equals), new String[] {parameter.substring(equals + 1)}, (a, b) -> {
                String[] both = Arrays.copyOf(a, 2);
                both[1] = b[0];
                return both;
            });
        }
        return RULES.parse(map);
    }

    private static void assertRefused(ThrowingCallable request) {
        assertThatThrownBy(request)
                .isInstanceOfSatisfying(
                        RequestProblem.class,
                        problem -> assertThat(problem.status()).isEqualTo(HttpStatus.BAD_REQUEST));
    }

    @Test
    void withoutParametersTheDefaultsApply() {
        ListRequest list = parse();

        assertThat(list.limit()).isEqualTo(100);
        assertThat(list.sort()).isEqualTo(new Sort("name", false));
        assertThat(list.after()).isNull();
        assertThat(list.text("prefix")).isNull();
        assertThat(list.flag("on")).isNull();
        assertThat(list.choice("day", DayOfWeek.class)).isNull();
        assertThat(list.time("from")).isNull();
    }

    @Test
    void theParametersAreRead() {
        ListRequest list =
                parse("limit=1000", "sort=-name", "prefix=a%b", "on=true", "day=friday", "from=2026-11-01T10:00:00Z");

        assertThat(list.limit()).isEqualTo(1_000);
        assertThat(list.sort()).isEqualTo(new Sort("name", true));
        assertThat(list.text("prefix")).isEqualTo("a%b");
        assertThat(list.flag("on")).isTrue();
        assertThat(list.choice("day", DayOfWeek.class)).isEqualTo(DayOfWeek.FRIDAY);
        assertThat(list.time("from")).isEqualTo(Instant.parse("2026-11-01T10:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=0",
                "limit=1001",
                "limit=-1",
                "limit=ten",
                "limit=99999999999",
                "sort=age",
                "sort=--name",
                "offset=3",
                "Prefix=a"
            })
    void aWrongOrUnknownParameterIsRefused(String parameter) {
        assertRefused(() -> parse(parameter));
    }

    @Test
    void aRepeatedParameterIsRefused() {
        assertRefused(() -> parse("limit=1", "limit=2"));
    }

    @Test
    void aWrongFilterIsRefused() {
        assertRefused(() -> parse("on=yes").flag("on"));
        assertRefused(() -> parse("day=someday").choice("day", DayOfWeek.class));
        assertRefused(() -> parse("from=yesterday").time("from"));
    }

    @Test
    void aCursorContinuesTheListItCameFrom() {
        ListRequest first = parse("sort=-name");
        String cursor = first.next("a/b\u00e9\uD83D\uDE00");

        assertThat(cursor).matches("[A-Za-z0-9_-]+");
        assertThat(parse("sort=-name", "after=" + cursor).after()).isEqualTo("a/b\u00e9\uD83D\uDE00");
        assertThat(parse("sort=-name", "after=" + first.next("a", null, "")).after(3))
                .containsExactly("a", null, "");
    }

    @Test
    void aCursorOfAnotherListOrderOrVersionIsRefused() {
        String cursor = parse("sort=-name").next("a");
        String wrong = Base64.getUrlEncoder()
                .encodeToString(new String(Base64.getUrlDecoder().decode(cursor), UTF_8)
                        .replace("\"a\"", "\"\\ud800\"")
                        .getBytes(UTF_8));

        assertRefused(() -> parse("after=" + cursor).after());
        assertRefused(() -> parse("sort=-name", "after=" + cursor).after(2));
        assertRefused(() -> parse("sort=-name", "after=C" + cursor.substring(1)).after());
        assertRefused(
                () -> parse("sort=-name", "after=" + cursor.substring(0, 10)).after());
        assertRefused(() -> parse("sort=-name", "after=" + wrong).after());
        assertRefused(() -> parse("after=bnVsbA").after());
        assertRefused(() -> parse("after=*").after());
        assertRefused(() -> parse("after=Ag").after());
        assertRefused(() -> parse("after=An____8").after());
    }

    @Test
    void aCursorOfOtherFiltersIsRefused() {
        String cursor = parse("prefix=a", "on=true", "limit=2").next("a");

        assertThat(parse("on=true", "prefix=a", "limit=3", "after=" + cursor).after())
                .isEqualTo("a");
        assertRefused(() -> parse("on=true", "after=" + cursor).after());
        assertRefused(() -> parse("on=true", "prefix=b", "after=" + cursor).after());
        assertRefused(
                () -> parse("on=true", "prefix=a", "from=x", "after=" + cursor).after());
    }

    @Test
    void aPageHasACursorOnlyIfMoreFollows() {
        ListRequest list = parse("limit=2");

        assertThat(Page.of(List.of("a", "b", "c"), 2, String::length, list::next))
                .isEqualTo(new Page<>(List.of(1, 1), list.next("b")));
        assertThat(Page.of(List.of("a", "b"), 2, String::length, list::next).next())
                .isNull();
        assertThat(Page.of(List.<String>of(), 2, String::length, list::next).items())
                .isEmpty();
    }
}
