package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.MessageName;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class MessageNamesTest {
    private static final Incarnation SELF = new Incarnation(1, 1);
    private static final Incarnation OTHER = new Incarnation(2, 1);

    private final MessageNames names = new MessageNames(SELF, 2);

    private boolean claim(long number) {
        return names.claim(new MessageName(OTHER, 0, number));
    }

    @Test
    void eachEventLoopCounts() {
        assertThat(names.next(0)).isEqualTo(new MessageName(SELF, 0, 1));
        assertThat(names.next(1)).isEqualTo(new MessageName(SELF, 1, 1));
        assertThat(names.next(0)).isEqualTo(new MessageName(SELF, 0, 2));
    }

    @Test
    void aNameIsClaimedOnce() {
        assertThat(claim(7)).isTrue();
        assertThat(claim(7)).isFalse();
        assertThat(claim(6)).as("a commit that was overtaken").isTrue();
        assertThat(names.claim(new MessageName(OTHER, 1, 7))).isTrue();
        assertThat(names.claim(new MessageName(SELF, 0, 7))).isTrue();
    }

    @Test
    void numbersFarBelowTheHighestCountAsDelivered() {
        assertThat(claim(1_000_000)).isTrue();
        assertThat(claim(1_000_000 - MessageNames.NUMBERS)).isFalse();
        assertThat(claim(1_000_001 - MessageNames.NUMBERS)).isTrue();
    }

    @Test
    void behavesLikeASetOfTheLastNumbers() {
        long seed = Long.getLong("heddle.test.seed", 20_261_201L);
        Random random = new Random(seed);
        Set<Long> claimed = new HashSet<>();
        long highest = 0;
        for (int i = 0; i < 300_000; i++) {
            long number = random.nextInt(1_000) == 0
                    ? highest + random.nextLong(2L * MessageNames.NUMBERS)
                    : highest - random.nextLong(100) + 5;
            if (number >= 1) {
                boolean isExpected = number > highest - MessageNames.NUMBERS && claimed.add(number);
                assertThat(claim(number))
                        .as("seed " + seed + ", number " + number)
                        .isEqualTo(isExpected);
                highest = Math.max(highest, number);
            }
        }
    }

    @Test
    void theIncarnationsWhoseNamesCameLastAreRemembered() {
        MessageName used = new MessageName(OTHER, 0, 1);
        MessageName unused = new MessageName(SELF, 0, 1);
        assertThat(names.claim(unused)).isTrue();
        assertThat(names.claim(used)).isTrue();
        for (int i = 0; i < MessageNames.INCARNATIONS - 1; i++) {
            assertThat(names.claim(new MessageName(new Incarnation(10 + i, 0), 0, 1)))
                    .isTrue();
            assertThat(names.claim(used)).isFalse();
        }

        assertThat(names.claim(unused)).as("forgotten").isTrue();
    }
}
