package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.administration.AccountQuery;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.ApiKey;
import io.heddle.core.administration.ApiKeyToken;
import io.heddle.core.administration.ApiKeys;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of {@link ApiKeys}. Each test starts with an empty store. */
public abstract class ApiKeysContract {
    private static final Instant CREATED = Instant.parse("2026-11-01T10:00:00.123Z");
    private static final SecureRandom random = new SecureRandom();

    /** Returns the store under test, empty at the start of a test and the same throughout it. */
    protected abstract ApiKeys keys();

    private static ApiKey key(String name, AdminRole role, @Nullable Instant expiresAt) {
        return new ApiKey(name, ApiKeyToken.draw(name, random).secretHash(), role, expiresAt, "ada", CREATED);
    }

    private static ApiKey key(String name) {
        return key(name, AdminRole.VIEWER, null);
    }

    @ParameterizedTest
    @EnumSource
    void aKeyIsFoundByItsExactNameAlsoWhenItHasExpired(AdminRole role) {
        ApiKey expired = key("ci", role, CREATED.plusMillis(1));
        ApiKey endless = key("ci-2", role, null);
        assertThat(keys().create(expired)).isTrue();
        assertThat(keys().create(endless)).isTrue();

        assertThat(keys().find("ci")).isEqualTo(expired);
        assertThat(keys().find("ci-2")).isEqualTo(endless);
        assertThat(keys().find("CI")).isNull();
        assertThat(keys().find("c")).isNull();
    }

    @Test
    void aNameIsTakenUntilItsKeyIsRemoved() {
        ApiKey first = key("ci");
        ApiKey second = key("ci", AdminRole.ADMIN, null);
        keys().create(first);
        assertThat(keys().create(second)).isFalse();
        assertThat(keys().find("ci")).isEqualTo(first);

        keys().remove("ci");
        keys().remove("ci");

        assertThat(keys().find("ci")).isNull();
        assertThat(keys().create(second)).isTrue();
        assertThat(keys().find("ci")).isEqualTo(second);
    }

    @Test
    void oneOfSeveralConcurrentNodesCreatesTheKey() throws Exception {
        int nodes = 8;
        CyclicBarrier together = new CyclicBarrier(nodes);
        List<ApiKey> candidates = new ArrayList<>();
        List<Callable<Boolean>> creations = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            ApiKey candidate = key("ci");
            candidates.add(candidate);
            creations.add(() -> {
                together.await();
                return keys().create(candidate);
            });
        }

        List<Boolean> created = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> creation : executor.invokeAll(creations)) {
                created.add(creation.get());
            }
        }

        assertThat(created).containsOnlyOnce(true);
        assertThat(keys().find("ci")).isEqualTo(candidates.get(created.indexOf(true)));
    }

    @Test
    void theListIsInOrderInPartsAndOfOneRole() {
        List<ApiKey> all = List.of(key("B"), key("a"), key("a-b"), key("a.b", AdminRole.ADMIN, CREATED));
        all.reversed().forEach(each -> keys().create(each));

        assertThat(list(null, false, null, 10)).isEqualTo(all);
        assertThat(list(null, false, null, 2)).isEqualTo(all.subList(0, 2));
        assertThat(list(null, false, "a", 10)).isEqualTo(all.subList(2, 4));
        assertThat(list(null, true, "a", 10)).isEqualTo(all.subList(0, 1));
        assertThat(list(null, true, null, 10)).isEqualTo(all.reversed());
        assertThat(list(AdminRole.ADMIN, false, null, 10)).isEqualTo(all.subList(3, 4));
        assertThat(list(AdminRole.OPERATOR, false, null, 10)).isEmpty();
    }

    private List<ApiKey> list(@Nullable AdminRole role, boolean isDescending, @Nullable String after, int limit) {
        return keys().list(new AccountQuery(role, isDescending, after, limit));
    }
}
