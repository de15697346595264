package io.heddle.app.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What administrators see and change through one of three brokers. The brokers have processes of their own, because they are frozen, drained
 * and killed, the last two at the end; all cases share them.
 */
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
final class AdministeredClusterIT {
    private static @Nullable AdministeredNodes started;

    @BeforeAll
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    static void start(@TempDir Path directory) throws Exception {
        // With this lease, a frozen node stays a member during the test.
        started = AdministeredNodes.start(
                directory,
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.cluster.lease=60s",
                DeliveryPath.SETTING);
        // While no credentials exist, anonymous clients may have any user name.
        String credentials =
                "{\"userName\": \"present\", \"type\": \"DEVICE\", \"password\": \"correct horse battery\"}";
        assertThat(nodes().send(0, "POST", "/api/v1/credentials", credentials).statusCode())
                .isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        if (started != null) {
            started.close();
        }
    }

    private static AdministeredNodes nodes() {
        return requireNonNull(started);
    }

    @Nested
    @Order(1)
    final class Access extends AdministeredAccessCases {
        Access() {
            super(nodes());
        }
    }

    @Nested
    @Order(2)
    final class Rules extends ChangedRulesCases {
        Rules() {
            super(nodes());
        }
    }

    @Nested
    @Order(3)
    final class Messages extends AdministeredMessagesCases {
        Messages() {
            super(nodes());
        }
    }

    @Nested
    @Order(4)
    final class Explanations extends ExplanationCases {
        Explanations() {
            super(nodes());
        }
    }

    @Nested
    @Order(5)
    final class Activities extends ActivityCases {
        Activities() {
            super(nodes());
        }
    }

    @Nested
    @Order(6)
    final class Traces extends TraceCases {
        Traces() {
            super(nodes());
        }
    }

    @Nested
    @Order(7)
    final class Clients extends AdministeredClientsCases {
        Clients() {
            super(nodes());
        }
    }
}
