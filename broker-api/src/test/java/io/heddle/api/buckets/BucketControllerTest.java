package io.heddle.api.buckets;

import static io.heddle.api.testkit.ApiClient.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.operator.bucket.BucketState;
import io.heddle.core.operator.bucket.BucketState.Progress;
import io.heddle.core.operator.bucket.BucketStates;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class BucketControllerTest extends ApiFixture {
    private static final String BUCKETS = "/api/v1/buckets";
    private static final Progress APPLIED = new Progress(9, 0, 0, null);

    @BeforeEach
    void start() {
        server.setBuckets(new BucketStates(
                List.of(
                        bucket(0, "a", APPLIED),
                        bucket(1, "a", new Progress(7, 1_500, 200, null)),
                        bucket(2, "b", APPLIED),
                        bucket(3, "b", new Progress(9, 0, 0, "the log has a record that this version cannot read")),
                        bucket(4, "c", null),
                        bucket(5, null, null)),
                List.of("c")));
    }

    private static BucketState bucket(int bucket, @Nullable String holder, @Nullable Progress progress) {
        return new BucketState(bucket, "a", holder, 10, 1_000, progress);
    }

    private JsonNode list(String query) throws Exception {
        return read(BUCKETS + query);
    }

    private List<Integer> numbers(String query) throws Exception {
        return list(query).path("items").findValues("bucket").stream()
                .map(JsonNode::asInt)
                .toList();
    }

    @Test
    void theBucketsAreListedInPagesInBothOrders() throws Exception {
        JsonNode first = list("?limit=4");
        JsonNode last = list("?limit=4&after=" + first.path("next").asString());
        JsonNode descending = list("?limit=4&sort=-bucket");

        assertThat(first.propertyNames()).containsExactly("items", "next", "missingNodes");
        assertThat(first.path("missingNodes").path(0).asString()).isEqualTo("c");
        assertThat(first.path("items").path(1).path("lagSeconds").asDouble()).isEqualTo(1.5);
        assertThat(last.path("items").findValuesAsString("bucket")).containsExactly("4", "5");
        assertThat(last.path("next").isNull()).isTrue();
        assertThat(descending.path("items").findValuesAsString("bucket")).containsExactly("5", "4", "3", "2");
        assertThat(numbers(
                        "?limit=4&sort=-bucket&after=" + descending.path("next").asString()))
                .containsExactly(1, 0);
    }

    @Test
    void filtersSelectTheBucketsOfAHolderAndThoseThatLag() throws Exception {
        assertThat(numbers("?holder=a")).containsExactly(0, 1);
        assertThat(numbers("?holder=absent")).isEmpty();
        assertThat(numbers("?lagging=true")).containsExactly(1, 3, 4, 5);
        assertThat(numbers("?lagging=false")).containsExactly(0, 2);
        assertThat(numbers("?holder=b&lagging=true")).containsExactly(3);
    }

    @Test
    void wrongParametersAreRefused() throws Exception {
        String cursor = list("?holder=a&limit=1").path("next").asString();

        problem(get(BUCKETS + "?lagging=much"), 400);
        problem(get(BUCKETS + "?owner=a"), 400);
        problem(get(BUCKETS + "?after=" + cursor), 400);
        problem(get(BUCKETS + "?holder=a&sort=-bucket&after=" + cursor), 400);
    }
}
