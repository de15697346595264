package io.heddle.api.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.api.problem.RequestProblem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;
import tools.jackson.databind.json.JsonMapper;

final class EntityTagsTest {
    private record Thing(String name, int size) {}

    private static final Thing THING = new Thing("a", 1);

    private final EntityTags tags = new EntityTags(JsonMapper.shared());

    @Test
    void theTagIsStrongAndFollowsFromTheRepresentation() {
        assertThat(tags.of(THING, "")).matches("\"[A-Za-z0-9_-]{22}\"");
        assertThat(tags.of(new Thing("a", 1), "")).isEqualTo(tags.of(THING, ""));
        assertThat(tags.of(new Thing("a", 2), "")).isNotEqualTo(tags.of(THING, ""));
        assertThat(tags.of(THING, "$argon2id$1")).isNotEqualTo(tags.of(THING, "$argon2id$2"));
    }

    @Test
    void aChangeMatchesWithTheTagWithAnyAndWithoutTheHeader() {
        String tag = tags.of(THING, "");

        EntityTags.requireMatch(List.of(), tag);
        EntityTags.requireMatch(List.of(tag), tag);
        EntityTags.requireMatch(List.of("*"), tag);
        EntityTags.requireMatch(List.of("\"other\", " + tag), tags.of(THING, ""));
        EntityTags.requireMatch(List.of("\"other\"", tag), tags.of(THING, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"other\"", "W/*", "other"})
    void aChangeOfAnotherVersionIsRefused(String ifMatch) {
        assertThatThrownBy(() -> EntityTags.requireMatch(List.of(ifMatch), tags.of(THING, "")))
                .isInstanceOfSatisfying(
                        RequestProblem.class,
                        problem -> assertThat(problem.status()).isEqualTo(HttpStatus.PRECONDITION_FAILED));
        assertThatThrownBy(() -> EntityTags.requireMatch(List.of("W/" + tags.of(THING, "")), tags.of(THING, "")))
                .isInstanceOf(RequestProblem.class);
    }
}
