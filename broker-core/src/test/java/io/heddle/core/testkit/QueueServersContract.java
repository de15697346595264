package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.operator.store.QueueServers;
import org.junit.jupiter.api.Test;

/** What every {@link QueueServers} promises. */
public abstract class QueueServersContract {
    protected abstract QueueServers servers();

    @Test
    void eachServerNamesItsVersionRoleAndMemory() {
        assertThat(servers().servers()).isNotEmpty().allSatisfy(each -> {
            assertThat(each.address()).contains(":").doesNotContain("@");
            assertThat(each.version()).matches("[0-9]+\\.[0-9.]+");
            assertThat(each.role()).isEqualTo("master");
            assertThat(each.usedBytes()).isPositive();
            assertThat(each.maximumBytes()).isGreaterThanOrEqualTo(0);
            assertThat(each.keys()).isGreaterThanOrEqualTo(0);
            assertThat(each.replicas()).isGreaterThanOrEqualTo(0);
        });
    }
}
