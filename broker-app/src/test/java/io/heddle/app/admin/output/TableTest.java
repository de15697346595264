package io.heddle.app.admin.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class TableTest {
    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private static String cell(Column column, String object) {
        return column.text().apply(json(object));
    }

    @Test
    void columnsAreAlignedAndControlCharactersEscaped() {
        String table = Table.of(
                List.of(Column.of("NAME", "name"), Column.of("COUNT", "inner.count"), Column.lower("STATE", "state")),
                json("""
                    [{"name": "a\\u001b[2J", "inner": {"count": 1000}, "state": "TAKING_OVER"},
                     {"name": "😀\\tb", "inner": null, "state": null},
                     {}]\
                    """));

        assertThat(table).isEqualTo("""
            NAME        COUNT  STATE
            a\\u001b[2J  1000   taking-over
            😀\\tb        -      -
            -           -      -\
            """);
    }

    @Test
    void anEmptyListIsAHead() {
        assertThat(Table.of(List.of(Column.of("A", "a"), Column.of("B", "b")), List.of()))
                .isEqualTo("A  B");
    }

    @Test
    void numbersOfBytesHaveUnits() {
        Column size = Column.bytes("SIZE", "n");

        assertThat(cell(size, "{\"n\": 0}")).isEqualTo("0 B");
        assertThat(cell(size, "{\"n\": 1023}")).isEqualTo("1023 B");
        assertThat(cell(size, "{\"n\": 1536}")).isEqualTo("1.5 KB");
        assertThat(cell(size, "{\"n\": 5368709120}")).isEqualTo("5.0 GB");
        assertThat(cell(size, "{\"n\": null}")).isEmpty();
    }

    @Test
    void expiryIsNoneSecondsOrNever() {
        Column expiry = Column.expiry("EXPIRY", "n");

        assertThat(cell(expiry, "{\"n\": 0}")).isEmpty();
        assertThat(cell(expiry, "{\"n\": 3600}")).isEqualTo("3600 s");
        assertThat(cell(expiry, "{\"n\": 4294967295}")).isEqualTo("never");
    }

    @Test
    void longTextsAreCut() {
        Column excerpt = Column.excerpt("TEXT", object -> object.path("t").asString(""));

        assertThat(cell(excerpt, "{\"t\": \"" + "x".repeat(60) + "\"}")).isEqualTo("x".repeat(60));
        assertThat(cell(excerpt, "{\"t\": \"" + "x".repeat(61) + "\"}")).isEqualTo("x".repeat(60) + "...");
    }

    @Test
    void detailsAreNamesAndValues() {
        assertThat(Details.of(json("""
            {"client": {"clientId": "a\\nb", "keepAliveSeconds": 60, "node": null},
             "names": ["x", "y"], "userProperties": [{"name": "n", "value": "v"}], "subscriptions": 2}\
            """))).isEqualTo("""
                             client
                               client id           a\\u000ab
                               keep alive seconds  60
                               node                -
                             names                 x, y
                             user properties       name=n value=v
                             subscriptions         2\
                             """);
    }
}
