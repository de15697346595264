package io.heddle.app.start;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.KafkaConnection;
import io.heddle.app.settings.PostgresConnection;
import io.heddle.app.settings.RedisConnection;
import io.heddle.app.settings.SettingOrigin;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.core.lifecycle.StartupException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Sees that no other server listens where Kafka, Redis and PostgreSQL of somebody else are said to be, before our own are started, nor
 * one that speaks without TLS where TLS is wanted. One that does not answer is left to those who need it, who wait longer.
 */
final class ExternalServersCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    private static final String KAFKA = "heddle.kafka.bootstrap-servers";
    private static final String POSTGRES = "heddle.postgres.url";
    private static final String REDIS = "heddle.redis.url";
    private static final Pattern ADDRESS = Pattern.compile("\\[?([^\\]\\s]+?)\\]?:(\\d{1,5})");
    private static final Pattern REDIS_ADDRESS = Pattern.compile("rediss?://(?:.*@)?([^/?@]+).*");
    private static final Pattern POSTGRES_ADDRESSES = Pattern.compile("jdbc:postgresql://([^/?]+).*");
    private static final String REDIS_WITHOUT_TLS =
            "write redis:// instead of rediss:// in heddle.redis.url, or switch TLS on there";
    private static final String KAFKA_WITHOUT_TLS =
            "heddle.kafka.properties.security.protocol does not fit that listener; set it to PLAINTEXT or SASL_PLAINTEXT, or"
                    + " set heddle.kafka.bootstrap-servers to a listener with TLS";
    private static final int REDIS_PORT = 6_379;
    private static final int POSTGRES_PORT = 5_432;
    private static final int HIGHEST_PORT = 65_535;

    private final ServerProbe probe;

    ExternalServersCheck(ServerProbe probe) {
        this.probe = probe;
    }

    /** When what costs nothing has been checked. */
    @Override
    public int getOrder() {
        return ListenersCheck.ORDER + 1;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        boolean own = environment.acceptsProfiles(StandaloneSettings.PROFILE);
        Binder settings = Binder.get(environment);
        if (!own || environment.containsProperty(KAFKA)) {
            KafkaConnection kafka = settings.bindOrCreate(HeddleSettings.PREFIX + ".kafka", KafkaConnection.class);
            check(
                    environment,
                    ServerProbe.Protocol.KAFKA,
                    KAFKA,
                    addresses(kafka.bootstrapServers()),
                    isPlain(kafka) ? null : KAFKA_WITHOUT_TLS);
        }
        if (!own || environment.containsProperty(REDIS)) {
            RedisConnection redis = settings.bindOrCreate(HeddleSettings.PREFIX + ".redis", RedisConnection.class);
            check(
                    environment,
                    ServerProbe.Protocol.REDIS,
                    REDIS,
                    redisAddresses(redis.url()),
                    redis.url().contains("rediss://") ? REDIS_WITHOUT_TLS : null);
        }
        if (!own || environment.containsProperty(POSTGRES)) {
            PostgresConnection postgres =
                    settings.bindOrCreate(HeddleSettings.PREFIX + ".postgres", PostgresConnection.class);
            check(environment, ServerProbe.Protocol.POSTGRESQL, POSTGRES, postgresAddresses(postgres.url()), null);
        }
    }

    private static boolean isPlain(KafkaConnection kafka) {
        return !kafka.properties()
                .getOrDefault("security.protocol", "")
                .toUpperCase(Locale.ROOT)
                .contains("SSL");
    }

    /**
     * Until the first that is what it should be.
     *
     * @param withoutTls what to do when it is, but speaks without TLS, to which nobody who wants TLS answers in words of the protocol;
     *     null when it is to speak without
     */
    private void check(
            ConfigurableEnvironment environment,
            ServerProbe.Protocol protocol,
            String setting,
            List<InetSocketAddress> addresses,
            @Nullable String withoutTls) {
        for (InetSocketAddress address : addresses) {
            switch (probe.find(protocol, address)) {
                case EXPECTED -> {
                    if (withoutTls != null) {
                        throw new StartupException(
                                protocol.whom() + " at " + text(address) + " does not speak TLS: " + withoutTls, null);
                    }
                    return;
                }
                case ANOTHER -> throw another(environment, protocol, setting, address);
                case UNKNOWN -> {
                    // The next one may know better.
                }
            }
        }
    }

    private static StartupException another(
            ConfigurableEnvironment environment,
            ServerProbe.Protocol protocol,
            String setting,
            InetSocketAddress address) {
        String name = protocol.whom();
        return new StartupException(
                "what listens at " + text(address) + " is not " + name + ": set "
                        + setting + SettingOrigin.of(SettingOrigin.find(environment, setting)) + " to where " + name
                        + " is",
                null);
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /** Of those that are written as addresses; somebody else complains of the others. */
    static List<InetSocketAddress> addresses(String commaSeparated) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String each : commaSeparated.split(",", -1)) {
            Matcher address = ADDRESS.matcher(each.strip());
            if (address.matches()) {
                int port = Integer.parseInt(address.group(2));
                if (port <= HIGHEST_PORT) {
                    addresses.add(new InetSocketAddress(address.group(1), port));
                }
            }
        }
        return addresses;
    }

    /** With TLS or without. */
    static List<InetSocketAddress> redisAddresses(String urls) {
        List<String> withPorts = new ArrayList<>();
        for (String url : urls.split(",", -1)) {
            Matcher matcher = REDIS_ADDRESS.matcher(url.strip());
            if (matcher.matches()) {
                withPorts.add(withPort(matcher.group(1), REDIS_PORT));
            }
        }
        return addresses(String.join(",", withPorts));
    }

    private static String withPort(String address, int port) {
        return address.lastIndexOf(':') > address.lastIndexOf(']') ? address : address + ":" + port;
    }

    /** None where the URL leads somewhere by other means than an address. */
    static List<InetSocketAddress> postgresAddresses(String url) {
        Matcher matcher = POSTGRES_ADDRESSES.matcher(url);
        if (!matcher.matches() || url.contains("socketFactory=") || url.contains("sslNegotiation=direct")) {
            return List.of();
        }
        List<String> withPorts = new ArrayList<>();
        for (String each : matcher.group(1).split(",", -1)) {
            withPorts.add(withPort(each, POSTGRES_PORT));
        }
        return addresses(String.join(",", withPorts));
    }
}
