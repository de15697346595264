package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.EndNotices;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.testkit.EndNoticesContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresEndNoticesIT extends EndNoticesContract {
    private static final int NODES = 8;

    private final TestDatabase testDatabase = TestDatabase.create();
    private final PostgresDatabase database = PostgresDatabase.open(testDatabase.settings(), new SimpleMeterRegistry());
    private final EndNotices notices = new PostgresEndNotices(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE ended_node");
    }

    @AfterAll
    void close() {
        database.close();
        testDatabase.close();
    }

    @Override
    protected EndNotices notices() {
        return notices;
    }

    @Test
    void nodesThatAddTheSameIncarnationsTogetherSucceed() throws Exception {
        Set<Incarnation> ended = new HashSet<>();
        for (int i = 0; i < EndNotices.CAPACITY; i++) {
            ended.add(new Incarnation(i, i));
        }
        Callable<Boolean> node = () -> {
            notices.add(ended);
            return true;
        };
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> added : executor.invokeAll(Collections.nCopies(NODES, node))) {
                assertThat(added.get()).isTrue();
            }
        }

        assertThat(ended).allMatch(notices::contains);
    }
}
