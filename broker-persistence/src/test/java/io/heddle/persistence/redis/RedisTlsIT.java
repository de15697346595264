package io.heddle.persistence.redis;

import static io.heddle.persistence.Startup.sentenceOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.persistence.TestSettings;
import io.heddle.standalone.testkit.TestServers;
import io.lettuce.core.RedisURI;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Redis whose certificate no public authority has issued. */
class RedisTlsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int CONNECTIONS = 3;

    private final RedisURI plain =
            TestSettings.redis(TestServers.shared().redisUrl()).uris().getFirst();

    @TempDir
    private Path folder;

    private TestAuthority authority;

    @AutoClose
    private TlsProxy redis;

    private Path trustStore;

    @BeforeEach
    void start() throws Exception {
        authority = TestAuthority.create(folder, "one");
        trustStore = Files.writeString(folder.resolve("ca.crt"), authority.pem());
        redis = TlsProxy.to(new InetSocketAddress(InetAddress.getByName(plain.getHost()), plain.getPort()), authority);
    }

    @Test
    void aCertificateOfAnAuthorityInTheTrustStoreIsAccepted() {
        try (RedisServer server = open(trustStore)) {
            server.check();
            assertThat(server.infos()).hasSize(1);
        }
    }

    @Test
    void anotherCertificateIsRefused() throws Exception {
        sentenceOf(() -> open(null))
                .contains(redis.hostAndPort(), "does not speak TLS with Heddle", "heddle.redis.trust-store");
        Path other = Files.writeString(
                folder.resolve("other.crt"), TestAuthority.create(folder, "two").pem());
        sentenceOf(() -> open(other)).contains(redis.hostAndPort(), "of an authority in heddle.redis.trust-store");
    }

    @Test
    void theNameOfTheServerIsChecked() {
        String byName = "localhost:" + redis.hostAndPort().split(":", -1)[1];

        sentenceOf(() -> open(byName, trustStore))
                .contains("No name matching localhost found", "with a certificate for this name");
    }

    @Test
    void aReplacedTrustStoreCountsForTheNextConnections() throws Exception {
        try (RedisServer server = open(trustStore)) {
            CountDownLatch reconnected = new CountDownLatch(CONNECTIONS);
            server.onReconnected(reconnected::countDown);
            TestAuthority next = TestAuthority.create(folder, "two");
            Files.writeString(trustStore, next.pem());
            redis.use(next);

            assertThat(reconnected.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            server.check();
        }
    }

    private RedisServer open(@Nullable Path trustStore) {
        return open(redis.hostAndPort(), trustStore);
    }

    private RedisServer open(String hostAndPort, @Nullable Path trustStore) {
        String url = TestServers.shared().redisUrl();
        String credentials = url.substring(url.indexOf("//") + 2, url.lastIndexOf('@') + 1);
        return RedisServer.open(
                new RedisSettings("rediss://" + credentials + hostAndPort, trustStore, PATIENCE, PATIENCE),
                new SimpleMeterRegistry());
    }
}
