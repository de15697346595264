package io.heddle.persistence.redis;

import static io.heddle.persistence.Startup.sentenceOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.persistence.TestSettings;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisSettingsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Test
    void thePortIs6379UnlessTheUrlNamesAnother() {
        assertThat(TestSettings.redis("redis://redis").address()).isEqualTo("redis:6379");
    }

    @Test
    void thePasswordIsNotPrinted() {
        RedisSettings settings = TestSettings.redis("redis://user:hidden@redis:6380");

        assertThat(settings.toString()).contains("redis:6380").doesNotContain("hidden");
        assertThat(settings.address()).isEqualTo("redis:6380");
    }

    @Test
    void moreNodesNeedNeitherSchemeNorPassword() {
        List<RedisURI> uris = TestSettings.redis(
                        "rediss://user:hid%40den@one:7000, two:7001,rediss://user:other@three:7002")
                .uris();

        assertThat(uris).extracting(RedisSettings::address).containsExactly("one:7000", "two:7001", "three:7002");
        assertThat(uris).allMatch(RedisURI::isSsl);
        assertThat(uris).extracting(RedisSettingsTest::password).containsExactly("hid@den", "hid@den", "other");
        assertThat(TestSettings.redis("redis://one,two:7001").address()).isEqualTo("one:6379,two:7001");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis",
                "hidden@redis:6379",
                "http://:hidden@redis:6379",
                "redis://:hidden@",
                "redis://:hidden@redis:port",
                "redis://:hidden@redis:6379,",
                "redis-sentinel://:hidden@redis:26379#mymaster"
            })
    void aMalformedUrlIsRejectedWithoutRepeatingIt(String url) {
        sentenceOf(() -> TestSettings.redis(url))
                .contains("heddle.redis.url", "redis://")
                .doesNotContain("hidden");
    }

    @Test
    void aWrongTimeoutIsNamed() {
        sentenceOf(() -> TestSettings.redis("")).contains("heddle.redis.url");
        sentenceOf(() -> TestSettings.redis("redis://redis", Duration.ZERO, Duration.ofSeconds(5)))
                .contains("heddle.redis.connect-timeout");
        sentenceOf(() -> TestSettings.redis("redis://redis", Duration.ofSeconds(5), Duration.ofHours(1)))
                .contains("heddle.redis.command-timeout");
    }

    @Test
    void aTrustStoreNeedsTls() {
        Path trustStore = Path.of("/no/such/ca.crt");

        sentenceOf(() -> new RedisSettings("rediss://redis", trustStore, TIMEOUT, TIMEOUT))
                .contains("heddle.redis.trust-store is " + trustStore, "does not exist");
        sentenceOf(() -> new RedisSettings("redis://redis", trustStore, TIMEOUT, TIMEOUT))
                .contains("heddle.redis.trust-store is " + trustStore, "write rediss://");
    }

    private static String password(RedisURI uri) {
        RedisCredentials credentials =
                uri.getCredentialsProvider().resolveCredentials().block();
        return credentials == null ? "" : new String(credentials.getPassword());
    }
}
