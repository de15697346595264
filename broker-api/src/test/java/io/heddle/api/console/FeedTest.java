package io.heddle.api.console;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FeedTest {
    private static @Nullable String address(String feed, Map<String, String> page) {
        Feed.Query query = Feed.of("list /api/v1/" + feed).query(page);
        return query == null ? null : query.address().toString();
    }

    @Test
    void parametersThatAreNamedArePassedOn() {
        assertThat(address("x a b limit=50", Map.of("a", "1 & 2", "b", "", "c", "3")))
                .isEqualTo("/api/v1/x?a=1%20%26%202&limit=50");
        assertThat(address("x q>prefix", Map.of("q", "ä/+"))).isEqualTo("/api/v1/x?prefix=%C3%A4%2F%2B");
    }

    @Test
    void theDecodedParametersAreThoseOfTheRequest() {
        Feed.Query query = requireNonNull(Feed.of("list /api/v1/x a").query(Map.of("a", "1 & 2")));

        assertThat(query.parameters()).isEqualTo(Map.of("a", "1 & 2"));
    }

    @Test
    void aWildcardMakesAPattern() {
        assertThat(address("x q>prefix|pattern", Map.of("q", "pump-"))).isEqualTo("/api/v1/x?prefix=pump-");
        assertThat(address("x q>prefix|pattern", Map.of("q", "pump-*"))).isEqualTo("/api/v1/x?pattern=pump-%2A");
        assertThat(address("x q>prefix|pattern", Map.of("q", "pump-?"))).isEqualTo("/api/v1/x?pattern=pump-%3F");
    }

    @Test
    void aRequestIsNotSentWithoutWhatItNeeds() {
        assertThat(address("x a! b", Map.of("b", "1"))).isNull();
        assertThat(address("x a! b", Map.of("a", "", "b", "1"))).isNull();
        assertThat(address("x peek!> b", Map.of("peek", "1", "b", "2"))).isEqualTo("/api/v1/x?b=2");
    }

    @Test
    void aPartOfThePathIsEncoded() {
        assertThat(address("x/{id} id!", Map.of("id", "../y?z"))).isEqualTo("/api/v1/x/..%2Fy%3Fz");
        assertThat(address("x/{id} id!", Map.of())).isNull();
    }
}
