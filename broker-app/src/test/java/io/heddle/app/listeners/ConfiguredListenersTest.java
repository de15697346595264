package io.heddle.app.listeners;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.MqttSettings;
import io.heddle.app.start.StartupFailure;
import io.heddle.core.Limit;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.transport.connection.ListenerKind;
import io.heddle.transport.listener.Listener;
import io.heddle.transport.websocket.AllowedOrigins;
import io.heddle.transport.websocket.WebSocketEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.unit.DataSize;

/** The simple options and the list of listeners, as they are bound from the settings. */
final class ConfiguredListenersTest {
    private static ConfiguredListeners bound(String... settings) {
        Map<String, String> source = Arrays.stream(settings)
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> "heddle.mqtt." + each[0], each -> each[1]));
        return new Binder(new MapConfigurationPropertySource(source))
                .bindOrCreate(HeddleSettings.PREFIX + ".mqtt", MqttSettings.class)
                .allListeners();
    }

    private static ConfiguredListeners boundYaml(String yaml) throws IOException {
        List<PropertySource<?>> sources =
                new YamlPropertySourceLoader().load("yaml", new ByteArrayResource(yaml.getBytes(UTF_8)));
        return new Binder(ConfigurationPropertySources.from(sources))
                .bindOrCreate(HeddleSettings.PREFIX + ".mqtt", MqttSettings.class)
                .allListeners();
    }

    private static String listed(String... settings) {
        return listed(bound(settings));
    }

    private static String listed(ConfiguredListeners listeners) {
        return listeners.all().stream()
                .map(each -> each.name() + " " + each.url(each.port()))
                .collect(Collectors.joining(", "));
    }

    /** Numbers, and the word "off", are no texts in YAML. */
    @Test
    void portsInYamlAreNumbersAndWords() throws IOException {
        assertThat(listed(boundYaml("heddle.mqtt: {port: 1884, ws-port: off, wss-port: 'off', tls-port: auto}")))
                .isEqualTo("mqtt tcp://127.0.0.1:1884, mqtts tls://127.0.0.1:8883");
        assertThat(listed(boundYaml("heddle.mqtt: {listeners: [{port: 7}, {port: 0, kind: ws, versions: 5.0}]}")))
                .isEqualTo("tcp-1 tcp://127.0.0.1:7, ws-2 ws://127.0.0.1:0/mqtt");
        assertThatThrownBy(() -> boundYaml("heddle.mqtt: {port: on}")).isInstanceOf(BindException.class);
    }

    @Test
    void theExampleOfTheReadmeIsUsable() throws IOException {
        String readme = Files.readString(Path.of("../README.md"));
        String example = readme.substring(readme.indexOf("```yaml\n") + 8);

        assertThat(listed(boundYaml(example.substring(0, example.indexOf("```")))))
                .isEqualTo(
                        "sensors tcp://10.0.0.5:1883, balanced tcp://10.0.0.5:1884, browsers ws://127.0.0.1:8083/mqtt");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        bind=127.0.0.1                                   | mqtt tcp://127.0.0.1:1883
        ws-port=auto                                     | mqtt tcp://127.0.0.1:1883, ws ws://127.0.0.1:8083/mqtt
        ws-port=auto port=0                              | mqtt tcp://127.0.0.1:0, ws ws://127.0.0.1:0/mqtt
        ws-port=auto port=1884                           | mqtt tcp://127.0.0.1:1884, ws ws://127.0.0.1:8083/mqtt
        ws-port=9001 port=off bind=::1                   | ws ws://[::1]:9001/mqtt
        tls-port=auto wss-port=auto                      | mqtt tcp://127.0.0.1:1883, mqtts tls://127.0.0.1:8883, wss wss://127.0.0.1:8084/mqtt
        ws-port=auto port-offset=2                       | mqtt tcp://127.0.0.1:1885, ws ws://127.0.0.1:8085/mqtt
        port=0 port-offset=2                             | mqtt tcp://127.0.0.1:0
        ws-port=auto listeners[0].kind=ws                | ws-1 ws://127.0.0.1:8083/mqtt
        port=1884 listeners[0].port=1885                 | mqtt tcp://127.0.0.1:1884, tcp-1 tcp://127.0.0.1:1885
        listeners[0].name=lan listeners[0].address=127.0.0.2 listeners[1].kind=ws listeners[1].path=/ | lan tcp://127.0.0.2:1883, ws-2 ws://127.0.0.1:8083/
        listeners[0].port=off listeners[1].port=7        | tcp-2 tcp://127.0.0.1:7
        """)
    void theSimpleOptionsAndTheListAreJoined(String settings, String expected) {
        assertThat(listed(settings.split(" "))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        port=off                                              | there is no listener for MQTT: set heddle.mqtt.port
        port=65536                                            | heddle.mqtt.port (--mqtt-port) is 65536: set it to 1 to 65535
        ws-port=-1                                            | heddle.mqtt.ws-port (--ws-port) is negative
        ws-port=1883                                          | heddle.mqtt.port (--mqtt-port) and heddle.mqtt.ws-port (--ws-port) are both 1883
        listeners[0].port=5 listeners[1].port=5               | heddle.mqtt.listeners[0].port and heddle.mqtt.listeners[1].port are both 5
        listeners[0].name=a listeners[1].name=a listeners[1].port=5 | heddle.mqtt.listeners[1].name is a, which another listener has
        port=1 listeners[0].name=mqtt                         | heddle.mqtt.listeners[0].name is mqtt, which another listener has
        listeners[0].name=http                                | heddle.mqtt.listeners[0].name is not usable
        listeners[0].name=A                                   | at most 32 lower-case letters, digits and dashes
        listeners[0].address=nosuch.invalid                   | heddle.mqtt.listeners[0].address is nosuch.invalid, which is neither
        ws-path=mqtt                                          | heddle.mqtt.ws-path is not a path
        listeners[0].path=/mqtt,ws                            | heddle.mqtt.listeners[0].path is not a path
        listeners[0].path=mqtt                                | heddle.mqtt.listeners[0].path is not a path
        listeners[0].maximum-connections=-1                   | heddle.mqtt.listeners[0].maximum-connections is -1
        listeners[0].versions=3.2                             | heddle.mqtt.listeners[0].versions is not a list of versions
        listeners[0].maximum-frame-size=2GB                   | heddle.mqtt.listeners[0].maximum-frame-size is
        listeners[0].proxy-protocol=true                      | no proxy is trusted: set heddle.mqtt.listeners[0].trusted-proxies
        listeners[0].trusted-proxies=10.0.0.0/8               | set heddle.mqtt.listeners[0].proxy-protocol=true, or remove it
        listeners[0].proxy-protocol=true listeners[0].trusted-proxies=lan | heddle.mqtt.listeners[0].trusted-proxies: 'lan' is not a network
        port-offset=65000                                     | heddle.mqtt.port-offset add up to 66883
        """)
    void contradictionsAreRejectedWithTheirKey(String settings, String expected) {
        assertThatThrownBy(() -> bound(settings.split(" ")))
                .satisfies(
                        failure -> assertThat(StartupFailure.sentence(failure)).contains(expected));
    }

    @Test
    void aPortMayBeUsedOnTwoAddresses() {
        assertThat(listed("listeners[0].address=127.0.0.1", "listeners[1].address=127.0.0.2"))
                .isEqualTo("tcp-1 tcp://127.0.0.1:1883, tcp-2 tcp://127.0.0.2:1883");
    }

    /** A proxy on this machine may pass on clients of others. */
    @Test
    void aListenerWithProxiesIsNotForThisMachineOnly() {
        assertThat(bound("ws-port=auto").isLoopbackOnly()).isTrue();
        assertThat(bound("listeners[0].kind=ws", "listeners[0].trusted-proxies=127.0.0.1")
                        .isLoopbackOnly())
                .isFalse();
        assertThat(bound("port=1", "listeners[0].address=0.0.0.0").isLoopbackOnly())
                .isFalse();
    }

    @Test
    void theServerGetsAllSettingsOfAListener() {
        ConfiguredListeners listeners = bound(
                "listeners[0].kind=wss",
                "listeners[0].port=0",
                "listeners[0].path=/x, /y/",
                "listeners[0].maximum-connections=7",
                "listeners[0].versions=3.1.1,5.0",
                "listeners[0].proxy-protocol=true",
                "listeners[0].trusted-proxies=10.0.0.0/8,fd00::/8",
                "listeners[0].origins=https://example.org");

        Listener listener = listeners
                .toListeners(name -> (_, _, _) -> assertThat(name).isNull(), 1_000, Duration.ofSeconds(2))
                .getFirst();

        assertThat(listener.kind()).isEqualTo(ListenerKind.WSS);
        assertThat(listener.maximumConnections())
                .isEqualTo(new Limit("heddle.mqtt.listeners[0].maximum-connections", 7));
        assertThat(listener.versions()).containsExactlyInAnyOrder(MqttVersion.V3_1_1, MqttVersion.V5);
        assertThat(listener.proxies()).isNotNull();
        assertThat(listener.encryption()).isNotNull();
        assertThat(Objects.requireNonNull(listener.webSocket()).paths()).containsExactly("/x", "/y");
        assertThat(listener.webSocket().maximumFrameBytes())
                .isEqualTo(new Limit("twice heddle.mqtt.maximum-packet-size", 2_000));
        assertThat(listener.webSocket().origins())
                .isEqualTo(new AllowedOrigins(Set.of("https://example.org"), "heddle.mqtt.listeners[0].origins"));
    }

    @Test
    void listenersWithoutPathsAndOriginsHaveThoseOfTheNode() {
        ConfiguredListeners listeners =
                bound("ws-port=auto", "ws-path=/mqtt,/ws,/", "ws-origins=https://a.example,https://b.example");

        WebSocketEndpoint endpoint = Objects.requireNonNull(listeners
                .toListeners(_ -> (_, _, _) -> {}, 1_000, Duration.ofSeconds(2))
                .getLast()
                .webSocket());

        assertThat(endpoint.paths()).containsExactly("/mqtt", "/ws", "/");
        assertThat(endpoint.origins())
                .isEqualTo(
                        new AllowedOrigins(Set.of("https://a.example", "https://b.example"), "heddle.mqtt.ws-origins"));
    }

    @Test
    void packetsOfTwoMegabytesAreAccepted() {
        assertThat(new Binder(new MapConfigurationPropertySource(Map.of()))
                        .bindOrCreate(HeddleSettings.PREFIX + ".mqtt", MqttSettings.class)
                        .maximumPacketSize())
                .isEqualTo(DataSize.ofMegabytes(2));
    }
}
