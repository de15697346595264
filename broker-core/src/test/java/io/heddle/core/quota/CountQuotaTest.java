package io.heddle.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CountQuotaTest {
    private final CountQuota<String> quota = new CountQuota<>(2);

    @Test
    void eachOwnerHasItsOwnMaximum() {
        quota.take("a");
        assertThat(quota.hasRoom("a")).isTrue();
        quota.take("a");

        assertThat(quota.hasRoom("a")).isFalse();
        assertThat(quota.hasRoom("b")).isTrue();
        quota.giveBack("a");
        assertThat(quota.hasRoom("a")).isTrue();
    }

    @Test
    void takingAboveTheMaximumIsCounted() {
        for (int i = 0; i < 3; i++) {
            quota.take("a");
        }
        quota.giveBack("a");
        assertThat(quota.hasRoom("a")).isFalse();

        quota.giveBack("a");
        quota.giveBack("a");
        quota.giveBack("a");
        assertThat(quota.count("a")).as("never below zero").isZero();
    }
}
