package io.heddle.app;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.KafkaConnection;
import io.heddle.app.settings.PostgresConnection;
import io.heddle.app.settings.SettingPlace;
import io.heddle.core.lifecycle.StartupException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Sees that no other server listens where Kafka and PostgreSQL of somebody else are said to be, before our own are started. One that
 * does not answer is left to those who need it, who wait longer. Redis's client sees by itself, and at once, what it talks to.
 */
final class ExternalServersCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    private static final String KAFKA = "heddle.kafka.bootstrap-servers";
    private static final String POSTGRES = "heddle.postgres.url";
    private static final Pattern ADDRESS = Pattern.compile("\\[?([^\\]\\s]+?)\\]?:(\\d{1,5})");
    private static final Pattern POSTGRES_ADDRESSES = Pattern.compile("jdbc:postgresql://([^/?]+).*");
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
        boolean own = environment.acceptsProfiles(StandaloneServers.PROFILE);
        Binder settings = Binder.get(environment);
        if (!own || environment.containsProperty(KAFKA)) {
            KafkaConnection kafka = settings.bindOrCreate(HeddleSettings.PREFIX + ".kafka", KafkaConnection.class);
            if (isPlain(kafka)) {
                check(environment, ServerProbe.Protocol.KAFKA, KAFKA, addresses(kafka.bootstrapServers()));
            }
        }
        if (!own || environment.containsProperty(POSTGRES)) {
            PostgresConnection postgres =
                    settings.bindOrCreate(HeddleSettings.PREFIX + ".postgres", PostgresConnection.class);
            check(environment, ServerProbe.Protocol.POSTGRESQL, POSTGRES, postgresAddresses(postgres.url()));
        }
    }

    /** Behind TLS every protocol begins alike. */
    private static boolean isPlain(KafkaConnection kafka) {
        return !kafka.properties()
                .getOrDefault("security.protocol", "")
                .toUpperCase(Locale.ROOT)
                .contains("SSL");
    }

    /** Until the first that is what it should be. */
    private void check(
            ConfigurableEnvironment environment,
            ServerProbe.Protocol protocol,
            String setting,
            List<InetSocketAddress> addresses) {
        for (InetSocketAddress address : addresses) {
            switch (probe.find(protocol, address)) {
                case EXPECTED -> {
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
                "what listens at " + address.getHostString() + ":" + address.getPort() + " is not " + name + ": set "
                        + setting + SettingPlace.of(SettingPlace.find(environment, setting)) + " to where " + name
                        + " is",
                null);
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

    /** None where the URL leads somewhere by other means than an address. */
    static List<InetSocketAddress> postgresAddresses(String url) {
        Matcher matcher = POSTGRES_ADDRESSES.matcher(url);
        if (!matcher.matches() || url.contains("socketFactory=") || url.contains("sslNegotiation=direct")) {
            return List.of();
        }
        List<String> withPorts = new ArrayList<>();
        for (String each : matcher.group(1).split(",", -1)) {
            boolean hasPort = each.lastIndexOf(':') > each.lastIndexOf(']');
            withPorts.add(hasPort ? each : each + ":" + POSTGRES_PORT);
        }
        return addresses(String.join(",", withPorts));
    }
}
