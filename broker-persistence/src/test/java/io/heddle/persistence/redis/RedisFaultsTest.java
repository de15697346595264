package io.heddle.persistence.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisFaultsTest {
    private final RedisFaults faults = new RedisFaults(RedisSettings.of("redis://redis:6379"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NOAUTH Authentication required.|wants a password",
                "WRONGPASS invalid username-password pair|refuses the password",
                "NOPERM this user has no permissions to run the 'info' command|ACL SETUSER",
                "LOADING Redis is loading the dataset in memory|still loading",
                "MISCONF Errors writing to the AOF file|refuses to work with Heddle (MISCONF Errors writing to the AOF file)",
                "ODD|refuses to work with Heddle (ODD)"
            })
    void theCodeOfAnAnswerChoosesTheSentence(String answer, String expected) {
        RedisConnectionException fault =
                new RedisConnectionException("Unable to connect", new RedisCommandExecutionException(answer));

        assertThat(faults.connecting("redis:6379", fault))
                .hasMessageContaining("Redis at redis:6379")
                .hasMessageContaining(expected)
                .hasCause(fault);
    }
}
