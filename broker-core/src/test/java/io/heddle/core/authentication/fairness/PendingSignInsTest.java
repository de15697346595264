package io.heddle.core.authentication.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PendingSignInsTest {
    private final PendingSignIns pending = new PendingSignIns(100);

    private int enter(int tries, String network, String namePrefix, int names) {
        int entered = 0;
        for (int i = 0; i < tries; i++) {
            entered += pending.enter(new SignInSource(network, namePrefix + i % names)) ? 1 : 0;
        }
        return entered;
    }

    @Test
    void networkGetsAtMostHalfOfThePlaces() {
        assertThat(enter(1_000, "a", "user-", 1_000)).isEqualTo(50);
        assertThat(pending.count()).isEqualTo(50);
    }

    @Test
    void aFewNetworksLeavePlacesForOneMore() {
        for (int network = 0; network < 5; network++) {
            enter(1_000, "flood-" + network, "user-", 1_000);
        }

        assertThat(enter(1_000, "another", "user-", 1_000)).isPositive();
    }

    @Test
    void freedPlaceGoesToANetworkWithFewClients() {
        for (int network = 0; network < 20; network++) {
            enter(1_000, "flood-" + network, "user-", 1_000);
        }
        assertThat(pending.count()).isEqualTo(100);
        pending.leave(new SignInSource("flood-0", "user-0"));

        assertThat(pending.enter(new SignInSource("flood-0", "user-0"))).isFalse();
        assertThat(pending.enter(new SignInSource("another", "user"))).isTrue();
    }

    @Test
    void nameLeavesPlacesForOtherNamesOfItsNetwork() {
        assertThat(enter(1_000, "proxy", "admin-", 1)).isEqualTo(34);
        assertThat(pending.enter(new SignInSource("proxy", "meter"))).isTrue();
    }

    @Test
    void releasedPlaceIsFree() {
        SignInSource source = new SignInSource("a", "user");
        while (pending.enter(source)) {
            // Until it reaches its share.
        }
        pending.leave(source);
        assertThat(pending.enter(source)).isTrue();
        assertThat(pending.enter(source)).isFalse();

        for (int left = pending.count(); left > 0; left--) {
            pending.leave(source);
        }
        assertThat(pending.count()).isZero();
        assertThat(enter(1_000, "b", "user-", 1_000)).isEqualTo(50);
    }

    @Test
    void singlePlaceGoesToTheFirstClient() {
        PendingSignIns one = new PendingSignIns(1);
        assertThat(one.enter(new SignInSource("a", "user"))).isTrue();
        assertThat(one.enter(new SignInSource("b", "user"))).isFalse();
    }
}
