package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.OwnerNotice;
import io.heddle.core.testkit.OwnerNoticeContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresOwnerNoticeIT extends OwnerNoticeContract {
    private final TestDatabase testDatabase = TestDatabase.create();
    private final PostgresDatabase database = PostgresDatabase.open(testDatabase.settings(), new SimpleMeterRegistry());
    private final OwnerNotice notice = new PostgresOwnerNotice(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE cluster_owner");
    }

    @AfterAll
    void close() {
        database.close();
        testDatabase.close();
    }

    @Override
    protected OwnerNotice notice() {
        return notice;
    }

    @Test
    void oneOfSeveralOwnersReplacesAnotherOne() throws Exception {
        Incarnation before = new Incarnation(1, 1);
        assertThat(notice.replace(null, before)).isTrue();
        List<Callable<Boolean>> owners = List.of(
                () -> notice.replace(before, new Incarnation(2, 2)),
                () -> notice.replace(before, new Incarnation(3, 3)),
                () -> notice.replace(before, new Incarnation(4, 4)));
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            int replaced = 0;
            for (Future<Boolean> answer : executor.invokeAll(owners)) {
                replaced += answer.get() ? 1 : 0;
            }

            assertThat(replaced).isEqualTo(1);
        }
    }

    @Test
    void theTableHasOneRow() {
        assertThat(notice.replace(null, new Incarnation(1, 1))).isTrue();

        assertThatThrownBy(() -> testDatabase.execute(
                        "INSERT INTO cluster_owner (only_row, incarnation) VALUES (false, '2-00000002')"))
                .hasRootCauseInstanceOf(SQLException.class);
    }
}
