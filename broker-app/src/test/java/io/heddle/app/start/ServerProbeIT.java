package io.heddle.app.start;

import static io.heddle.app.start.Finding.ANOTHER;
import static io.heddle.app.start.Finding.EXPECTED;
import static io.heddle.app.start.Protocol.KAFKA;
import static io.heddle.app.start.Protocol.POSTGRESQL;
import static io.heddle.app.start.Protocol.REDIS;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ServerProbeIT {
    /** Real servers answer at once, but on a busy machine not always within the program's patience. */
    private final ServerProbe probe = new ServerProbe(Duration.ofSeconds(3));

    @Test
    void kafkaRedisAndPostgresAreTakenForWhatTheyAre() {
        Endpoints endpoints = TestServers.shared();
        InetSocketAddress kafka = ExternalServersCheck.addresses(endpoints.kafkaBootstrapServers())
                .getFirst();
        InetSocketAddress postgres =
                ExternalServersCheck.postgresAddresses(endpoints.postgresUrl()).getFirst();
        URI url = URI.create(endpoints.redisUrl());
        InetSocketAddress redis = new InetSocketAddress(url.getHost(), url.getPort());

        assertThat(probe.find(KAFKA, kafka)).isEqualTo(EXPECTED);
        assertThat(probe.find(KAFKA, postgres)).isEqualTo(ANOTHER);
        assertThat(probe.find(KAFKA, redis)).isEqualTo(ANOTHER);
        assertThat(probe.find(POSTGRESQL, postgres)).isEqualTo(EXPECTED);
        assertThat(probe.find(POSTGRESQL, kafka)).isEqualTo(ANOTHER);
        assertThat(probe.find(POSTGRESQL, redis)).isEqualTo(ANOTHER);
        assertThat(probe.find(REDIS, redis)).isEqualTo(EXPECTED);
        assertThat(probe.find(REDIS, kafka)).isEqualTo(ANOTHER);
        assertThat(probe.find(REDIS, postgres)).isEqualTo(ANOTHER);
    }
}
