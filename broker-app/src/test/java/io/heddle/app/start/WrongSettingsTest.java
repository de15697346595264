package io.heddle.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** A wrong setting ends the start with one sentence that names the key and the remedy, before anything is started. */
final class WrongSettingsTest {
    private static void check(Map<String, String> variables, String... arguments) {
        var _ = checked(variables, arguments);
    }

    private static ConfigurableEnvironment checked(Map<String, String> variables, String... arguments) {
        ConfigurableEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.copyOf(variables)));
        environment
                .getPropertySources()
                .addFirst(new SimpleCommandLinePropertySource(CommandLineArguments.toSettings(arguments)));
        new SettingsCheck()
                .onApplicationEvent(new ApplicationEnvironmentPreparedEvent(
                        new DefaultBootstrapContext(), new SpringApplication(), arguments, environment));
        return environment;
    }

    private static String sentence(Map<String, String> variables, String... arguments) {
        RuntimeException failure = catchRuntimeException(() -> check(variables, arguments));
        assertThat(failure).as(Arrays.toString(arguments) + variables).isNotNull();
        return StartupFailure.sentence(failure);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        heddle.mqtt.allowed-dollar-prefixes=aws        | heddle.mqtt.allowed-dollar-prefixes has a value that is not the first level of topics of clients
        heddle.mqtt.allowed-dollar-prefixes=$aws,$SYS  | neither $SYS nor $share
        heddle.mqtt.allowed-dollar-prefixes=$aws/+     | without / + #
        heddle.mqtt.backlog=0                          | a number from 1 to 65535
        heddle.mqtt.bind=nosuch.invalid                | heddle.mqtt.bind (--bind) is nosuch.invalid, which is neither
        heddle.mqtt.bind=                              | heddle.mqtt.bind (--bind) is empty: set it to an address
        heddle.mqtt.burst-limit=1KB                    | heddle.mqtt.burst-limit is 1KB, less than heddle.mqtt.high-watermark: set it to 64KB or more
        heddle.mqtt.slow-reader-patience=0s            | a duration from 10ms to 60s
        heddle.mqtt.unsent-output-limit=-1B            | a size from 0B to 1024GB
        heddle.mqtt.close-timeout=0s                   | a duration from 100ms to 60s
        heddle.mqtt.connect-timeout=0s                 | a duration from 100ms to 300s
        heddle.mqtt.event-loops=-1                     | a number from 0 to 1024
        heddle.mqtt.high-watermark=16KB                | heddle.mqtt.high-watermark is 16KB, less than heddle.mqtt.low-watermark: set it to 32KB or more
        heddle.mqtt.low-watermark=0B                   | heddle.mqtt.low-watermark is 0B: set it to a size from 1B to 1GB
        heddle.mqtt.maximum-connect-size=1B            | a size from 128B to 256MB
        heddle.mqtt.maximum-connections=-1             | a number from 0 to 2147483647
        heddle.mqtt.reserved-descriptors=-1            | a number from 0 to 1000000
        heddle.http.maximum-connections=-1             | a number from 0 to 1000000
        heddle.http.request-timeout=0s                 | a duration from 100ms to 300s
        heddle.mqtt.maximum-packet-size=0B             | heddle.mqtt.maximum-packet-size is 0B: set it to a size from 128B to 256MB
        heddle.mqtt.maximum-packet-size=1GB            | heddle.mqtt.maximum-packet-size is 1GB: set it to a size from 128B to 256MB
        heddle.mqtt.maximum-topic-length=65536         | a number from 1 to 65535
        heddle.mqtt.maximum-topic-levels=0             | a number from 1 to 512
        heddle.mqtt.maximum-user-properties=-1         | a number from 0 to 65535
        heddle.mqtt.outbound-limit=1KB                 | heddle.mqtt.outbound-limit is 1KB, less than heddle.mqtt.burst-limit: set it to 4MB or more
        heddle.mqtt.port=65536                         | heddle.mqtt.port (--mqtt-port) is 65536: set it to 1 to 65535
        heddle.mqtt.stop-timeout=1m                    | a duration from 0s to 8s
        heddle.http.bind=nosuch.invalid                | heddle.http.bind (--bind) is nosuch.invalid
        heddle.http.port=-1                            | heddle.http.port (--http-port) is -1
        heddle.http.probe-port=70000                   | heddle.http.probe-port is 70000: set it to 1 to 65535
        heddle.http.body-timeout=0s                    | heddle.http.body-timeout
        heddle.http.tls.key=/key.pem                   | heddle.http.tls.key is set, but heddle.http.tls.certificate is missing: set it to the PEM or PKCS#12 file
        heddle.http.tls.key-password=secret            | heddle.http.tls.key-password is set, but heddle.http.tls.certificate is missing
        heddle.mqtt.tls.key-password=secret            | heddle.mqtt.tls.key-password is set, but heddle.mqtt.tls.certificate is missing
        heddle.mqtt.tls.additional-certificates[0].key=/key.pem | additional-certificates[0].certificate is missing
        heddle.delivery.handover-limit=1KB             | a size from 64KB to 1024GB
        heddle.session.maximum-subscriptions=0         | a number from 1 to 1000000
        heddle.session.maximum-sessions=0              | a number from 1 to
        heddle.session.maximum-unreleased=0            | a number from 1 to
        heddle.session.maximum-persistent-per-user=-1  | a number from 0 to
        heddle.session.maximum-expiry=-1s              | a duration from 0s to
        heddle.session.version3-expiry=0s              | a duration from 1s to
        heddle.session.maximum-keep-alive=65536s       | a duration from 0s to 65535s
        heddle.session.receive-maximum=0               | a number from 1 to 65535
        heddle.session.maximum-in-flight=32768         | a number from 1 to 32767
        heddle.session.topic-alias-maximum=-1          | a number from 0 to 65535
        heddle.events.maximum-rate=0                   | a number from 1 to 100000
        heddle.events.maximum-bytes=1KB                | heddle.events.maximum-bytes
        heddle.events.retention=1s                     | heddle.events.retention
        heddle.tracing.maximum-rate=0                  | a number from 1 to 10000
        heddle.tracing.ratio=2                         | a number from 0 to 1
        heddle.tracing.endpoint=collector:4318         | write http://host:4318/v1/traces
        heddle.buckets.replay-window=10s               | a duration from 60s to 2592000s
        heddle.session.maximum-queued-messages=0       | a number from 1 to 100000000
        heddle.session.maximum-queued-bytes=1B         | a size from 1KB to 1024GB
        heddle.session.memory-limit=-1B                | a size from 0B to 1024GB
        heddle.mqtt.unfinished-packets-limit=-1B       | a size from 0B to 1024GB
        heddle.subscription.maximum-wildcard-patterns=-1 | a number from 0 to 1000000
        heddle.subscription.maximum-wildcard-patterns-per-client=-1 | a number from 0 to 1000000
        heddle.subscription.maximum-group-members=0     | a number from 1 to 100000
        heddle.retained.maximum-messages=0             | a number from 1 to
        heddle.retained.maximum-payload=512MB          | a size from 1B to 256MB
        heddle.retained.maximum-bytes=2KB              | less than heddle.retained.maximum-payload
        heddle.retained.maximum-messages-per-client=-1 | a number from 0 to
        heddle.authentication.maximum-pending=0        | set it to 1 or more
        heddle.authentication.methods=                 | heddle.authentication.methods is empty, or has a method twice
        heddle.authentication.methods=password,password | name each method once, for example jwt,password
        heddle.authentication.methods=jwt              | there is no key: set heddle.authentication.jwt.key, heddle.authentication.jwt.hmac-key or
        heddle.authentication.jwt.key=/key.pem         | is set, but heddle.authentication.methods has no jwt: add it
        heddle.authentication.jwt.clock-skew=1h        | a duration from 0s to 600s
        heddle.authentication.jwt.fetch-timeout=0s     | a duration from 100ms to 60s
        heddle.authentication.jwt.refresh-interval=0s  | a duration from 1s to 86400s
        heddle.authentication.jwt.fetch-pause=0s       | a duration from 1s to 3600s
        heddle.authentication.jwt.maximum-pending=0    | a number from 1 to 1000000
        heddle.authentication.jwt.attribute-claims=a=b | has a name that rules cannot use
        heddle.authentication.jwt.claims.sub=${clientId}/${username} | heddle.authentication.jwt.claims.sub has an unknown or a second placeholder: write one
        heddle.authentication.jwt.claims.sub=${user}   | write one, ${clientId} or ${username}
        heddle.authentication.jwt.claims.aud=          | heddle.authentication.jwt.claims.aud is empty: write the value
        heddle.authentication.methods=http             | there is no service: set heddle.authentication.http.url
        heddle.authentication.http.url=https://host/   | is set, but heddle.authentication.methods has no http: add it
        heddle.authentication.http.timeout=0s          | a duration from 100ms to 60s
        heddle.authentication.http.concurrent-requests=0 | a number from 1 to 10000
        heddle.authentication.http.maximum-pending=0   | a number from 1 to 1000000
        heddle.authentication.http.cache-time=2h       | a duration from 0s to 3600s
        heddle.authentication.http.cache-size=-1B      | a size from 0B to
        heddle.authentication.http.breaker-failures=0  | a number from 1 to 1000
        heddle.authentication.http.breaker-pause=0s    | a duration from 1s to 600s
        heddle.authentication.maximum-remembered=-1    | a number from 0 to 10000000
        heddle.authentication.concurrent-password-checks=-1 | a number from 0 to 1024
        heddle.authentication.maximum-password-wait=0s | a duration from 100ms to 300s
        heddle.authentication.refusal-delay=0s         | a duration from 1ms to 60s
        heddle.authentication.maximum-refusal-delay=2m | a duration from 0s to 60s
        heddle.authentication.failure-window=0s        | a duration from 1s to 86400s
        heddle.authentication.remember=0s              | a duration from 1s to 2592000s
        heddle.administration.sign-in.max-failures=0   | set it to 1 or more
        heddle.administration.sign-in.lockout=0s       | a positive duration such as 60s
        heddle.buckets.target-lag=0ms                  | a duration from 1ms to 3600s
        heddle.buckets.maximum-lag-bytes=1KB           | set it to a size from 64KB to 1024GB
        heddle.buckets.read-ahead=-1B                  | a size from 0B to 1024GB
        heddle.buckets.acknowledgement-interval=2h     | a duration from 0s to 3600s
        heddle.buckets.count=0                         | heddle.buckets.count is 0: set it to a number from 1 to 1024
        heddle.cluster.lease=500ms                     | a duration from 1s to 600s
        heddle.cluster.heartbeat-interval=4s           | a duration from 50ms to 3333ms
        heddle.cluster.address=a b                     | set it to at most 255 ASCII characters without spaces
        heddle.mqtt.advertise=a b                      | heddle.mqtt.advertise is not a host and port: set it to at most 255
        heddle.cluster.port=7898-7883                  | heddle.cluster.port is 7898-7883: set it to a port from 1 to 65535
        heddle.cluster.port=65536                      | a range such as 7883-7898
        heddle.cluster.unacknowledged-limit=1KB        | a size from 64KB to 1GB
        heddle.kafka.replication-factor=0              | a number from 1 to 15
        heddle.kafka.connect-timeout=0s                | a duration from 1s to 300s
        heddle.kafka.properties.ssl.truststore.location=/no/ca.p12 | is /no/ca.p12, which is no file: correct the path
        heddle.kafka.properties.ssl.keystore.location=/no/key.p12 | is /no/key.p12, which is no file: correct the path
        heddle.redis.url=nonsense                      | heddle.redis.url is not a Redis URL: write redis://
        heddle.redis.trust-store=/ca.pem               | but heddle.redis.url begins with redis://
        heddle.redis.command-timeout=0s                | a duration from 100ms to 300s
        heddle.node.id=a_b                             | heddle.node.id is 'a_b': set it to a name of at most 100 letters, digits, dots and dashes
        heddle.postgres.url=nonsense                   | write a URL like jdbc:postgresql://
        heddle.postgres.pool-size=0                    | a number from 1 to 200
        """)
    void valuesOutOfBoundsAreRejectedWithTheirKeyAndTheBounds(String setting, String expected) {
        assertThat(sentence(Map.of(), "--" + setting))
                .startsWith("Heddle cannot start: " + setting.substring(0, setting.indexOf('=')))
                .contains(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        heddle.mqtt.port=abc                         | a number such as 1883, or auto, or off
        heddle.mqtt.port=99999999999                 | a number such as 1883
        heddle.mqtt.backlog=many                     | a number such as 100
        heddle.mqtt.listeners=5                      | a list, separated by commas
        heddle.mqtt.listeners[0]=5                   | is a group of settings and has no value itself
        heddle.mqtt.listeners[0].prot=5              | unknown setting heddle.mqtt.listeners[0].prot
        heddle.mqtt.listeners[0].kind=carrier-pigeon | one of tcp, tls, ws, wss
        heddle.mqtt.listeners[0].authentication-methods=jwt | a method that heddle.authentication.methods does not have
        heddle.mqtt.listeners[0].authentication-methods=password,password | has a method twice
        heddle.mqtt.connect-timeout=soon             | a duration such as 30s or 5m
        heddle.mqtt.maximum-packet-size=big          | a size such as 64KB or 1MB
        heddle.mqtt.transport=carrier-pigeon         | one of auto, epoll, io_uring, nio
        heddle.authentication.anonymous.enabled=maybe| true or false
        heddle.authentication.methods=password,oauth | one of password, jwt, certificate, http, scram
        heddle.events.kinds=connected,lost           | one of connected, disconnected, refused, session_ended, subscriptions_changed, denied, dropped
        heddle.administration.sign-in=5              | is a group of settings and has no value itself: set one of its settings, heddle.administration.sign-in.*
        heddle.kafka.properties.foo=bar              | unknown setting heddle.kafka.properties.foo: none of Kafka's clients
        heddle.kafka.properties=5                    | a group of keys, each with a value of its own
        """)
    void valuesOfTheWrongTypeAreRejectedWithAnExampleOrAllChoices(String setting, String expected) {
        assertThat(sentence(Map.of(), "--" + setting))
                .contains(setting.substring(0, setting.indexOf('=')), expected)
                .doesNotContain("soon", "carrier", "maybe");
    }

    @Test
    void variablesDoNotReplacePlaceholdersOfClients() {
        String key = "heddle.authentication.http.url";
        String url = "https://host/?a=${clientId}&b=${username}&c=${address}&d=${listener}";
        Map<String, String> variables = Map.of("CLIENTID", "x", "USERNAME", "x", "ADDRESS", "x", "LISTENER", "x");

        assertThat(checked(variables, "--heddle.authentication.methods=http", "--" + key + "=" + url)
                        .getProperty(key))
                .isEqualTo(url);
    }

    @Test
    void thePortForProbesIsAnother() {
        assertThat(sentence(Map.of(), "--heddle.http.probe-port=8080"))
                .contains("heddle.http.port (--http-port) and heddle.http.probe-port are both 8080: give one");
        assertThat(sentence(Map.of(), "--heddle.http.probe-port=1883"))
                .contains("heddle.mqtt.port (--mqtt-port) and heddle.http.probe-port are both 1883: give one");
        for (String port : List.of("off", "auto", "0")) {
            assertThatNoException()
                    .isThrownBy(() -> check(Map.of(), "--http-port=0", "--heddle.http.probe-port=" + port));
        }
    }

    @Test
    void theSamePortForMqttAndHttpIsRejectedWithBothKeys() {
        String expected = "heddle.mqtt.port (--mqtt-port) and heddle.http.port (--http-port) are both 8080: give one";

        assertThat(sentence(Map.of(), "--mqtt-port=8080")).contains(expected);
        assertThat(sentence(Map.of(), "--mqtt-port=8080", "--heddle.mqtt.bind=0.0.0.0"))
                .contains(expected);
        assertThatNoException().isThrownBy(() -> check(Map.of(), "--mqtt-port=0", "--http-port=0"));
        assertThatNoException().isThrownBy(() -> check(Map.of(), "--mqtt-port=8080", "--heddle.mqtt.bind=127.0.0.2"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --mqtt-port=1 --mqtt-port=2                       | --mqtt-port 1 and --mqtt-port 2 are both given
        --mqtt-port=1 --heddle.mqtt.port=2                | --mqtt-port 1 and --heddle.mqtt.port are both given
        --bind=::1 --bind=127.0.0.1                       | --bind ::1 and --bind 127.0.0.1 are both given
        --data-dir=/a --data-dir=/b                       | --data-dir /a and --data-dir /b are both given
        --heddle.mqtt.eventLoops=1 --heddle.mqtt.event-loops=2 | --heddle.mqtt.eventLoops and --heddle.mqtt.event-loops
        --heddle.postgres.password=x1 --heddle.postgres.password=x2 | --heddle.postgres.password are both given
        --logging.level.root=info --logging.level.root=debug | --logging.level.root are both given
        """)
    void differentValuesForOneSettingAreRejectedWithBothArguments(String arguments, String expected) {
        assertThat(sentence(Map.of(), arguments.split(" ")))
                .contains(expected, "with different values: leave one of them out")
                .doesNotContain("x1", "x2");
    }

    @Test
    void theSameValueMayBeGivenTwice() {
        assertThat(CommandLineArguments.toSettings(new String[] {"--mqtt-port=1", "--mqtt-port", "1"}))
                .containsExactly("--heddle.mqtt.port=1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--bind=0.0.0.0 --heddle.http.bind=::1", "--heddle.http.bind=::1 --bind=0.0.0.0"})
    void theAddressOfOneListenerOverridesBind(String arguments) {
        assertThat(CommandLineArguments.toSettings(arguments.split(" ")))
                .containsExactlyInAnyOrder("--heddle.mqtt.bind=0.0.0.0", "--heddle.http.bind=::1");
    }

    @Test
    void theImplementationOfTheJdkDoesNotStaple() {
        assertThat(sentence(Map.of(), "--heddle.mqtt.tls.provider=jdk", "--heddle.mqtt.tls.ocsp-stapling=true"))
                .contains("heddle.mqtt.tls.ocsp-stapling is true", "set heddle.mqtt.tls.provider to openssl");
    }

    @Test
    void theErrorForBindNamesTheOption() {
        assertThat(sentence(Map.of(), "--bind", "nosuch.invalid")).contains("(--bind) is nosuch.invalid");
    }

    @Test
    void aWrongValueInTheEnvironmentIsNamedByItsVariable() {
        assertThat(sentence(Map.of("HEDDLE_MQTT_PORT", "abc")))
                .contains("heddle.mqtt.port (HEDDLE_MQTT_PORT in the environment)", "a number");
    }

    @Test
    void unknownSettingsAreRejected() {
        assertThat(sentence(Map.of(), "--heddle.mqtt.prot=1")).contains("unknown setting heddle.mqtt.prot");
        assertThat(sentence(Map.of("HEDDLE_MQTT_PROT", "1", "HEDDLE_PORT", "1")))
                .contains("unknown setting HEDDLE_MQTT_PROT, HEDDLE_PORT in the environment");
        assertThat(sentence(Map.of("heddle.mqtt.prot", "1"))).contains("heddle.mqtt.prot in the environment");
        // Spring Boot does not read a name in which one dash is dropped and another is an underscore.
        assertThat(sentence(Map.of("HEDDLE_MQTT_MAXIMUM_PACKETSIZE", "1MB"))).contains("unknown setting");
    }

    @ParameterizedTest
    @CsvSource({
        "HEDDLEMQTTPORT, heddle.mqtt.port is HEDDLE_MQTT_PORT",
        "HeddleMqttPort, heddle.mqtt.port is HEDDLE_MQTT_PORT",
        "HEDDLE__MQTT__PORT, heddle.mqtt.port is HEDDLE_MQTT_PORT",
        "HEDDLEMQTT_STOP_TIMEOUT, heddle.mqtt.stop-timeout is HEDDLE_MQTT_STOP_TIMEOUT",
        "HEDDLE_MQTT_MAXIMUM_PACKETSIZE, heddle.mqtt.maximum-packet-size is HEDDLE_MQTT_MAXIMUM_PACKET_SIZE",
    })
    void aVariableWithOtherUnderscoresIsRejectedWithTheCorrectName(String name, String correctName) {
        assertThat(sentence(Map.of(name, "1")))
                .contains(
                        "unknown setting " + name + " in the environment: correct or remove it (" + correctName + ")");
    }

    @Test
    void aVariableThatStartsLikeAGroupIsRejected() {
        assertThat(sentence(Map.of("HEDDLEMQTTPROT", "1")))
                .contains("unknown setting HEDDLEMQTTPROT in the environment: correct or remove it;");
    }

    @Test
    void aDataDirectoryWithoutTheProfileStandaloneIsRejected() {
        String expected = "belongs to the profile standalone";

        assertThat(sentence(Map.of(), "--data-dir=/x"))
                .contains("heddle.standalone.data-dir (--data-dir) is set", expected, "start the broker with ./heddle");
        assertThat(sentence(Map.of("HEDDLE_STANDALONE_DATA_DIR", "/x")))
                .contains("(HEDDLE_STANDALONE_DATA_DIR in the environment) is set", expected);
        assertThat(sentence(Map.of(), "--data-dir=/x", "--spring.profiles.active=mine"))
                .contains(expected);
        assertThatNoException()
                .isThrownBy(() -> check(Map.of(), "--data-dir=/x", "--spring.profiles.active=standalone"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HEDDLE_MQTT_PORT=1",
                "heddle_mqtt_port=1",
                "HEDDLE_MQTT_MAXIMUMPACKETSIZE=1MB",
                "HEDDLE_MQTT_MAXIMUM_PACKET_SIZE=1MB",
                "HEDDLE_AUTHENTICATION_ANONYMOUS_APPLICATIONCLIENTS=a,b",
                "HEDDLE_AUTHENTICATION_ANONYMOUS_APPLICATIONCLIENTS_0=a",
                "HEDDLE_KAFKA_PROPERTIES_SECURITY_PROTOCOL=SSL",
                "HEDDLE_JAVA_OPTS=-Xmx1g",
                "HEDDLE_STANDALONE_HOME=/opt/heddle/lib/standalone",
                "HEDDLE_TEST_KAFKA=kafka:9092",
                "HEDDLER=1",
            })
    void validVariablesAreAccepted(String variable) {
        String[] parts = variable.split("=", 2);

        assertThatNoException().isThrownBy(() -> check(Map.of(parts[0], parts[1])));
    }

    @Test
    void variablesThatKubernetesSetsForServicesAreIgnored() {
        assertThatNoException()
                .isThrownBy(() -> check(Map.of(
                        "HEDDLE_SERVICE_HOST", "10.0.0.1",
                        "HEDDLE_SERVICE_PORT", "1883",
                        "HEDDLE_SERVICE_PORT_MQTT_TLS", "8883",
                        "HEDDLE_PORT", "tcp://10.0.0.1:1883",
                        "HEDDLE_PORT_1883_TCP", "tcp://10.0.0.1:1883",
                        "HEDDLE_PORT_1883_TCP_PROTO", "tcp",
                        "HEDDLE_PORT_1883_TCP_PORT", "1883",
                        "HEDDLE_PORT_1883_TCP_ADDR", "10.0.0.1",
                        "SERVER_PORT", "tcp://10.0.0.2:80")));
        assertThatNoException()
                .isThrownBy(() -> check(Map.of(
                        "MANAGEMENT_SERVER_PORT", "tcp://10.0.0.1:80",
                        "MANAGEMENT_SERVER_SERVICE_HOST", "10.0.0.1")));
        assertThat(sentence(Map.of("HEDDLE_MQTT_PORT", "tcp://10.0.0.1:1883")))
                .contains("HEDDLE_MQTT_PORT in the environment is tcp://10.0.0.1:1883", "enableServiceLinks: false");
    }

    @Test
    void settingsOfSpringBootThatHeddleManagesAreRejected() {
        for (String key : List.of(
                "server.port",
                "server.address",
                "logging.file.name",
                "management.server.port",
                "management.server.address",
                "management.server.base-path",
                "management.server.ssl.certificate",
                "server.ssl.certificate",
                "server.ssl.client-auth",
                "spring.ssl.bundle.pem.a.keystore.certificate",
                "spring.main.web-application-type",
                "spring.main.webApplicationType")) {
            assertThat(sentence(Map.of(), "--" + key + "=9000")).contains(key + " is managed by Heddle: remove it");
        }
        assertThat(sentence(Map.of(), "--server.port=9000")).contains("use heddle.http.port (--http-port)");
        assertThat(sentence(Map.of("SERVER_PORT", "9000"))).contains("use heddle.http.port (--http-port)");
        assertThat(sentence(Map.of("SERVER_ADDRESS", "0.0.0.0"))).contains("heddle.http.bind (--bind)");
        assertThat(sentence(Map.of(), "--server.ssl.key-store=a.p12"))
                .contains("server.ssl.key-store is managed by Heddle: remove it; use heddle.http.tls.certificate");
        assertThat(sentence(Map.of("SERVER_SSL_KEY_STORE", "a.p12")))
                .contains("server.ssl.key-store (SERVER_SSL_KEY_STORE in the environment)", "heddle.http.tls.key");
        assertThat(sentence(Map.of("SPRING_MAIN_WEB_APPLICATION_TYPE", "none")))
                .contains("(SPRING_MAIN_WEB_APPLICATION_TYPE in the environment) is managed by Heddle");
        assertThat(sentence(Map.of("MANAGEMENT_SERVER_PORT", "9001")))
                .contains(
                        "management.server.port (MANAGEMENT_SERVER_PORT in the environment) is managed by Heddle",
                        "heddle.http.port");
    }

    @Test
    void unknownSettingsOfSpringBootAreRejected() {
        for (String key : List.of("server.prot", "management.endpoint", "logging.levels.root", "spring.nothing")) {
            assertThat(sentence(Map.of(), "--" + key + "=1")).contains("unknown setting " + key);
        }
        assertThat(sentence(Map.of(), "--spring.main.banner-mode")).contains("--spring.main.banner-mode=value");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "logging.level.root=debug",
                "logging.level.io.heddle=debug",
                "management.endpoints.web.exposure.include=*",
                "management.endpoints.web.exposure.include[0]=health",
                "server.tomcat.threads.max=10",
                "spring.config.additional-location=file:/etc/heddle/",
                "spring.mvc.logRequestDetails=true",
                "spring.profiles.active=standalone",
            })
    void knownSettingsOfSpringBootAreAccepted(String setting) {
        assertThatNoException().isThrownBy(() -> check(Map.of(), "--" + setting));
    }

    @Test
    void theWebServerUsesHeddlesAddressAndPort() {
        ConfigurableEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SimpleCommandLinePropertySource(
                        CommandLineArguments.toSettings(new String[] {"--http-port", "0", "--bind=::1"})));

        new SettingsCheck()
                .onApplicationEvent(new ApplicationEnvironmentPreparedEvent(
                        new DefaultBootstrapContext(), new SpringApplication(), new String[0], environment));

        assertThat(environment.getProperty("server.port")).isEqualTo("0");
        assertThat(environment.getProperty("server.address")).isEqualTo("::1");
    }
}
