package io.heddle.persistence.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.heddle.persistence.TestSettings;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import java.io.EOFException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RedisFaultsTest {
    private final RedisFaults faults = new RedisFaults(TestSettings.redis("redis://redis:6379"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "WRONGTYPE Operation against a key holding the wrong kind of value script: f1, on @user_script:93.|true",
                "ERR Error running script (call to f_1): @user_script:9: WRONGTYPE Operation against a key|true",
                "ERR session pump has version 2, and this broker knows version 1|true",
                "OOM command not allowed when used memory > 'maxmemory'.|false",
                "ERR Error running script (call to f_1): @user_script:9: -OOM command not allowed when used memory|false",
                "LOADING Redis is loading the dataset in memory|false",
                "READONLY You can't write against a read only replica.|false",
                "CLUSTERDOWN The cluster is down|false",
                "ERR bad argument #2 to 'bytesToValues' (data string too short) script: f1, on @user_script:40.|true",
                "ERR user_script:9: attempt to compare nil with number script: f1, on @user_script:9.|true",
                "ERR no such key script: f1, on @user_script:9.|true",
                "ERR Error running script (call to f_1): @user_script: 9: -ERR index out of range|true",
                "ERR Script attempted to access a non local key in a cluster node script: f1, on @user_script:9.|false",
                "ERR Error running script (call to f_1): @user_script: 9: Lua script attempted to access a non local key in a cluster node|false",
                "ERR Script attempted to access keys that do not hash to the same slot script: f1|false",
                "ERR Error running script: undeclared keys were accessed during rehashing|false",
                "ERR Error running script (call to f_1): @user_script: 9: Lua script attempted execute while the cluster is down|false",
                "ERR Error running script (call to f_1): @user_script: 9: Script killed by user with SCRIPT KILL...|false",
                "ERR {3}bucket is the view of another log: the bucket topic was recreated|false",
                "UNKNOWN An error that a later Redis may have|false"
            })
    void permanentErrorsAreDistinguishedFromTransientOnes(String answer, boolean permanent) {
        assertThat(RedisFaults.isPermanent(answer)).isEqualTo(permanent);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NOAUTH Authentication required.|requires a password",
                "WRONGPASS invalid username-password pair|rejects the password",
                "NOPERM this user has no permissions to run the 'info' command|ACL SETUSER",
                "LOADING Redis is loading the dataset in memory|still loading",
                "MISCONF Errors writing to the AOF file|rejects Heddle's commands (MISCONF Errors writing to the AOF file)",
                "ODD|rejects Heddle's commands (ODD)"
            })
    void theErrorCodeDeterminesTheMessage(String answer, String expected) {
        RedisConnectionException fault =
                new RedisConnectionException("Unable to connect", new RedisCommandExecutionException(answer));

        assertThat(faults.connecting("redis:6379", fault))
                .hasMessageContaining("Redis at redis:6379")
                .hasMessageContaining(expected)
                .hasCause(fault);
    }

    @ParameterizedTest
    @MethodSource("faultsBehindTls")
    void aTlsFaultSuggestsAPlainConnection(Exception fault, String reason) {
        assertThat(new RedisFaults(TestSettings.redis("rediss://redis:6379")).connecting("redis:6379", fault))
                .hasMessageContaining("Redis at redis:6379 does not speak TLS with Heddle (" + reason + ")")
                .hasMessageContaining("write redis:// instead of rediss:// in heddle.redis.url")
                .hasMessageContaining("enable TLS in the server");
    }

    static Stream<Arguments> faultsBehindTls() {
        return Stream.of(
                arguments(
                        new RedisConnectionException("Unable to connect", new RedisCommandTimeoutException()),
                        "no answer within 5s"),
                arguments(
                        new RedisConnectionException("Unable to connect", new ClosedChannelException()),
                        "the connection was closed"),
                arguments(new RedisConnectionException("Unable to connect", new SSLException("not TLS")), "not TLS"));
    }

    @Test
    void anUnreachableServerIsNotReportedAsATlsFault() {
        RedisConnectionException fault =
                new RedisConnectionException("Unable to connect", new ConnectException("Connection refused"));

        assertThat(new RedisFaults(TestSettings.redis("rediss://redis:6379")).connecting("redis:6379", fault))
                .hasMessageContaining("does not answer at redis:6379 (Connection refused): start it");
    }

    @Test
    void aFaultWithoutMessageIsNamedByItsClass() {
        assertThat(faults.connecting("redis:6379", new RedisConnectionException("Unable", new EOFException())))
                .hasMessageContaining("(EOFException)")
                .hasMessageNotContaining("null");
    }
}
