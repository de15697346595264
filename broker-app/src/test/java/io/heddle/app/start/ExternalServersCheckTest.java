package io.heddle.app.start;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Another server where Kafka or PostgreSQL is said to be is found before their clients have waited for it in vain. */
final class ExternalServersCheckTest {
    private static final String NOBODY = "127.0.0.1:1";

    private static void check(String... arguments) {
        ConfigurableEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SimpleCommandLinePropertySource(CommandLineArguments.toSettings(arguments)));
        new ExternalServersCheck(new ServerProbe(Duration.ofMillis(200)))
                .onApplicationEvent(new ApplicationEnvironmentPreparedEvent(
                        new DefaultBootstrapContext(), new SpringApplication(), arguments, environment));
    }

    private static String sentence(String... arguments) {
        RuntimeException failure = catchRuntimeException(() -> check(arguments));
        assertThat(failure).isNotNull();
        return StartupFailure.sentence(failure);
    }

    private static String kafka(String address) {
        return "--heddle.kafka.bootstrap-servers=" + address;
    }

    private static String postgres(String address) {
        return "--heddle.postgres.url=jdbc:postgresql://" + address + "/heddle?sslmode=prefer";
    }

    @Test
    void anotherServerIsNamedByItsAddressWithTheSetting() throws Exception {
        try (FakeServer web = FakeServer.http()) {
            String address = web.hostAndPort();

            assertThat(sentence(kafka(NOBODY + "," + address), postgres(NOBODY)))
                    .isEqualTo("Heddle cannot start: what listens at " + address
                            + " is not Kafka: set heddle.kafka.bootstrap-servers to where Kafka is");
            assertThat(sentence(kafka(NOBODY), postgres(address)))
                    .isEqualTo("Heddle cannot start: what listens at " + address
                            + " is not PostgreSQL: set heddle.postgres.url to where PostgreSQL is");
        }
    }

    @Test
    void whatNobodyAnswersIsLeftToThoseWhoNeedIt() {
        assertThatNoException().isThrownBy(() -> check(kafka(NOBODY), postgres(NOBODY)));
    }

    @Test
    void whereTlsIsWantedAServerWithoutItIsNamedWithBothWaysOut() throws Exception {
        byte[] kafka = {0, 0, 0, 42, 0x68, 0x65, 0x64, 0x64, 0, 0};
        try (FakeServer server = FakeServer.answering(FakeServer.Wait.NOT_AT_ALL, kafka)) {
            assertThat(sentence(
                            kafka(server.hostAndPort()),
                            postgres(NOBODY),
                            "--heddle.kafka.properties.security.protocol=ssl"))
                    .contains("Kafka at " + server.hostAndPort() + " does not speak TLS")
                    .contains("heddle.kafka.properties.security.protocol does not fit that listener")
                    .contains("set heddle.kafka.bootstrap-servers to a listener with TLS");
        }
        byte[] redis = "$6\r\nheddle\r\n".getBytes(US_ASCII);
        try (FakeServer server = FakeServer.answering(FakeServer.Wait.FOR_A_LINE, redis)) {
            assertThat(sentence(kafka(NOBODY), "--heddle.redis.url=rediss://" + server.hostAndPort()))
                    .isEqualTo("Heddle cannot start: Redis at " + server.hostAndPort() + " does not speak TLS: write"
                            + " redis:// instead of rediss:// in heddle.redis.url, or switch TLS on there");
        }
    }

    @Test
    void whereTlsIsWantedAnotherServerIsNamedToo() throws Exception {
        try (FakeServer postgres = FakeServer.answering(FakeServer.Wait.NOT_AT_ALL, new byte[] {'N'})) {
            assertThat(sentence(kafka(NOBODY), "--heddle.redis.url=rediss://" + postgres.hostAndPort()))
                    .contains("what listens at " + postgres.hostAndPort() + " is not Redis");
        }
    }

    @Test
    void aServerWithTlsIsLeftToThoseWhoSpeakIt() throws Exception {
        byte[] alerts = {0x15, 3, 3, 0, 2, 2, 80, 0x15, 3, 3, 0, 2, 1, 0};
        try (FakeServer server = FakeServer.answering(FakeServer.Wait.NOT_AT_ALL, alerts)) {
            assertThatNoException()
                    .isThrownBy(() -> check(
                            kafka(server.hostAndPort()),
                            postgres(NOBODY),
                            "--heddle.redis.url=rediss://" + server.hostAndPort(),
                            "--heddle.kafka.properties.security.protocol=sasl_ssl"));
        }
    }

    @Test
    void redisAddressesAreReadFromItsUrls() {
        assertThat(ExternalServersCheck.redisAddresses("redis://:se:cr@et@10.0.0.1:7000/2, redis://10.0.0.2"))
                .containsExactly(new InetSocketAddress("10.0.0.1", 7_000), new InetSocketAddress("10.0.0.2", 6_379));
        assertThat(ExternalServersCheck.redisAddresses("rediss://10.0.0.1:7000,nonsense"))
                .containsExactly(new InetSocketAddress("10.0.0.1", 7_000));
    }

    @Test
    void addressesAreReadAsTheClientsReadThem() {
        assertThat(ExternalServersCheck.addresses("10.0.0.1:9092, [::1]:9093,nonsense,10.0.0.1:99999"))
                .map(ExternalServersCheckTest::text)
                .containsExactly("10.0.0.1 9092", "0:0:0:0:0:0:0:1 9093");
        assertThat(ExternalServersCheck.postgresAddresses("jdbc:postgresql://10.0.0.1,10.0.0.2:6000,[::1]/heddle?a=b"))
                .map(ExternalServersCheckTest::text)
                .containsExactly("10.0.0.1 5432", "10.0.0.2 6000", "0:0:0:0:0:0:0:1 5432");
        assertThat(ExternalServersCheck.postgresAddresses("jdbc:postgresql:heddle"))
                .isEmpty();
        assertThat(ExternalServersCheck.postgresAddresses("jdbc:postgresql://h/heddle?socketFactory=x"))
                .isEmpty();
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + " " + address.getPort();
    }
}
