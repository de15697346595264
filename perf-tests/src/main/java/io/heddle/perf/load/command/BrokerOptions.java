package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.traffic.BrokerAccess;
import io.heddle.perf.load.traffic.Brokers;
import io.heddle.perf.load.traffic.Brokers.Spread;
import io.heddle.perf.load.wire.MqttVersion;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the connections to the broker. */
final class BrokerOptions {
    @Mixin
    private final EndpointOptions endpoint = new EndpointOptions();

    @Option(
            names = "--spread",
            paramLabel = "HOW",
            description = "how clients are spread over several brokers: random; together, a publisher with its"
                    + " subscribers; or apart, the subscribers at the next broker; default: random",
            converter = SpreadOption.class)
    private Spread spread = Spread.RANDOM;

    @Option(
            names = "--mqtt",
            paramLabel = "VERSION",
            description = "3.1.1 or 5.0; default: 3.1.1",
            converter = VersionOption.class)
    private MqttVersion version = MqttVersion.V3_1_1;

    @Option(names = "--subscriber-username", paramLabel = "NAME", description = "of subscribers, if different")
    private @Nullable String subscriberUsername;

    @Option(names = "--subscriber-password", paramLabel = "PASSWORD", description = "of subscribers, if different")
    private @Nullable String subscriberPassword;

    @Option(
            names = "--keep-alive",
            paramLabel = "TIME",
            description = "0s turns it off; default: 60s",
            converter = DurationOption.class)
    private Duration keepAlive = Duration.ofSeconds(60);

    @Option(
            names = "--session-expiry",
            paramLabel = "TIME",
            description = "of persistent sessions in 5.0; default: 60m",
            converter = DurationOption.class)
    private Duration sessionExpiry = Duration.ofMinutes(60);

    @Option(
            names = "--connects-at-once",
            paramLabel = "N",
            description = "concurrent handshakes; default: ${DEFAULT-VALUE}")
    private int connectsAtOnce = 50;

    BrokerAccess access() {
        if (connectsAtOnce < 1 || keepAlive.toSeconds() > 0xFFFF) {
            throw new LoadException("--connects-at-once must be 1 or more, and --keep-alive 65535 s or less");
        }
        if (subscriberPassword != null && subscriberUsername == null) {
            throw new LoadException("A password needs a user name (--subscriber-username)");
        }
        List<InetSocketAddress> addresses = endpoint.addresses();
        if (spread == Spread.APART && addresses.size() == 1) {
            throw new LoadException("--spread apart needs several brokers: name their ports with --port");
        }
        BrokerAccess.Credentials all = endpoint.credentials();
        return new BrokerAccess(
                new Brokers(addresses, spread),
                version,
                endpoint.clientIdPrefix(),
                all,
                subscriberUsername == null ? all : new BrokerAccess.Credentials(subscriberUsername, subscriberPassword),
                keepAlive,
                sessionExpiry,
                connectsAtOnce);
    }
}
