package io.heddle.app.listeners;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.transport.connection.ListenerKind;
import io.heddle.transport.listener.Listener;
import io.heddle.transport.pipeline.PipelineStage;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** All listeners of a node, those of the simple options first. Immutable. */
public final class ConfiguredListeners {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

    /** Labels of other lines of the announcement, and the broker's own listener. */
    private static final Set<String> RESERVED =
            Set.of("administrator", "anonymous", "connections", "data", "http", "probes", "self-check", "serving");

    private static final int LAST_PORT = 65_535;

    private final List<ConfiguredListener> all;

    private ConfiguredListeners(List<ConfiguredListener> all) {
        this.all = List.copyOf(all);
    }

    /**
     * The simple options.
     *
     * @param bind the address of all listeners without one of their own
     * @param mqtt null if not set: the standard port, unless there is a list of listeners
     * @param offset added to every port except 0
     * @param path of WebSocket, of all listeners without one of their own
     * @param origins of web pages, of all listeners without some of their own
     */
    public record Simple(
            String bind,
            @Nullable PortSetting mqtt,
            PortSetting mqtts,
            PortSetting ws,
            PortSetting wss,
            int offset,
            List<String> path,
            List<String> origins) {
        public Simple {
            path = List.copyOf(path);
            origins = List.copyOf(origins);
            if (path.isEmpty()) {
                throw new StartupException("heddle.mqtt.ws-path is empty: set it to a path such as /mqtt", null);
            }
            ListenerSettings.checkPath("heddle.mqtt.ws-path", path);
        }
    }

    /** Joins the simple options and the list. Throws StartupException for settings that contradict each other. */
    public static ConfiguredListeners of(Simple simple, List<ListenerSettings> list) {
        List<ConfiguredListener> all = new ArrayList<>();
        PortSetting mqtt = simple.mqtt();
        if (mqtt == null) {
            mqtt = list.isEmpty() ? PortSetting.AUTO : PortSetting.OFF;
        }
        boolean isFree = mqtt.isFree();
        add(all, simple, "mqtt", ListenerKind.TCP, "port", mqtt, isFree);
        add(all, simple, "mqtts", ListenerKind.TLS, "tls-port", simple.mqtts(), isFree);
        // A list replaces the standard listener for WebSocket, as it does that for MQTT.
        PortSetting ws = simple.ws().isAuto() && !list.isEmpty() ? PortSetting.OFF : simple.ws();
        add(all, simple, "ws", ListenerKind.WS, "ws-port", ws, isFree);
        add(all, simple, "wss", ListenerKind.WSS, "wss-port", simple.wss(), isFree);
        for (int i = 0; i < list.size(); i++) {
            ListenerSettings settings = list.get(i);
            if (!settings.port().isOff()) {
                String key = ListenerSettings.PREFIX + "[" + i + "]";
                settings.check(key);
                String name = settings.name().isEmpty() ? settings.kind().tag() + "-" + (i + 1) : settings.name();
                all.add(listener(simple, key, name, key + ".port", key + ".port", false, settings));
            }
        }
        if (all.isEmpty()) {
            throw new StartupException(
                    "there is no listener for MQTT: set heddle.mqtt.port (--mqtt-port), or " + ListenerSettings.PREFIX,
                    null);
        }
        checkNames(all);
        checkPorts(all);
        return new ConfiguredListeners(all);
    }

    private static void add(
            List<ConfiguredListener> all,
            Simple simple,
            String name,
            ListenerKind kind,
            String group,
            PortSetting port,
            boolean isFree) {
        if (!port.isOff()) {
            String key = "heddle.mqtt." + group;
            ListenerSettings settings = ListenerSettings.of(name, kind, port);
            all.add(listener(simple, "", name, key + " (--" + name + "-port)", key, isFree && port.isAuto(), settings));
        }
    }

    private static ConfiguredListener listener(
            Simple simple,
            String key,
            String name,
            String portSetting,
            String portKey,
            boolean isFree,
            ListenerSettings settings) {
        boolean isOwn = !settings.address().isEmpty();
        String addressSetting = isOwn ? key + ".address" : "heddle.mqtt.bind";
        String host = isOwn ? settings.address() : simple.bind();
        InetAddress address = BindAddress.of(isOwn ? addressSetting : addressSetting + " (--bind)", host);
        int number = settings.port().number(portSetting, standardPort(settings.kind()));
        int port = isFree || number == 0 ? 0 : number + simple.offset();
        if (port > LAST_PORT) {
            throw new StartupException(
                    portSetting + " and heddle.mqtt.port-offset add up to " + port + ": set them to at most 65535",
                    null);
        }
        return new ConfiguredListener(
                key,
                name,
                host,
                address,
                addressSetting,
                portSetting,
                portKey,
                port,
                settings.port().isAuto(),
                settings.with(simple.path(), simple.origins()));
    }

    private static int standardPort(ListenerKind kind) {
        return switch (kind) {
            case TCP -> 1883;
            case TLS -> 8883;
            case WS -> 8083;
            case WSS -> 8084;
        };
    }

    private static void checkNames(List<ConfiguredListener> all) {
        Set<String> names = new HashSet<>();
        for (ConfiguredListener each : all) {
            String setting = each.key() + ".name";
            if (!NAME.matcher(each.name()).matches() || RESERVED.contains(each.name())) {
                throw new StartupException(
                        setting + " is not usable: set it to at most 32 lower-case letters, digits and dashes; not "
                                + String.join(", ", RESERVED.stream().sorted().toList()),
                        null);
            }
            if (!names.add(each.name())) {
                throw new StartupException(
                        setting + " is " + each.name()
                                + ", which another listener has: give each listener its own name",
                        null);
            }
        }
    }

    private static void checkPorts(List<ConfiguredListener> all) {
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j < i; j++) {
                ConfiguredListener one = all.get(j);
                ConfiguredListener other = all.get(i);
                requireOwnPorts(
                        one.portSetting(),
                        one.address(),
                        one.port(),
                        other.portSetting(),
                        other.address(),
                        other.port());
            }
        }
    }

    private static void requireOwnPorts(
            String setting,
            InetAddress address,
            int port,
            String otherSetting,
            InetAddress otherAddress,
            int otherPort) {
        if (port != 0 && port == otherPort && overlap(address, otherAddress)) {
            throw new StartupException(
                    setting + " and " + otherSetting + " are both " + port
                            + ": give one of them another port, or 0 for a free one",
                    null);
        }
    }

    private static boolean overlap(InetAddress one, InetAddress other) {
        return one.equals(other) || one.isAnyLocalAddress() || other.isAnyLocalAddress();
    }

    /** Throws StartupException if a listener has this port, which another setting names. */
    public void requireOtherPortsThan(String setting, InetAddress address, int port) {
        for (ConfiguredListener each : all) {
            requireOwnPorts(each.portSetting(), each.address(), each.port(), setting, address, port);
        }
    }

    /** Returns the listeners in their order; at least one. */
    public List<ConfiguredListener> all() {
        return all;
    }

    /** Returns whether only clients of this machine can connect. */
    public boolean isLoopbackOnly() {
        return all.stream().allMatch(ConfiguredListener::isLoopbackOnly);
    }

    /**
     * @param encryption returns TLS of a listener with this name; called only for those that have it
     * @param maximumPacketBytes of the node
     * @param closeTimeout of the node
     */
    public List<Listener> toListeners(
            Function<String, PipelineStage> encryption, int maximumPacketBytes, Duration closeTimeout) {
        return all.stream()
                .map(each -> each.toListener(encryption, maximumPacketBytes, closeTimeout))
                .toList();
    }
}
