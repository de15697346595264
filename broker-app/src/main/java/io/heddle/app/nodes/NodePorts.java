package io.heddle.app.nodes;

import io.heddle.app.listeners.ConfiguredListener;
import io.heddle.app.settings.HttpSettings;
import io.heddle.core.lifecycle.StartupException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ports of the nodes of one machine: those of the first node and the consecutive ones.
 *
 * @param listeners for MQTT, with the ports of the first node; port 0 if each node picks a free one
 * @param firstHttp 0 if each node picks a free port
 * @param firstProbes 0 if each node picks a free port for probes or has none
 * @param count the number of nodes
 * @param moved the settings of standard ports that would overlap the HTTP ports, with other ports
 */
public record NodePorts(
        List<ConfiguredListener> listeners, int firstHttp, int firstProbes, int count, Map<String, Integer> moved) {
    private static final int LAST_PORT = 65_535;

    /** Throws StartupException if there are not enough ports, or if a port is in two ranges. */
    public static NodePorts of(List<ConfiguredListener> listeners, int firstHttp, int firstProbes, int count) {
        requireBelowEnd(HttpSettings.PORT, firstHttp, count);
        requireBelowEnd(HttpSettings.PROBE_PORT, firstProbes, count);
        requireApart(HttpSettings.PORT, firstHttp, HttpSettings.PROBE_PORT, firstProbes, count);
        List<ConfiguredListener> all = new ArrayList<>();
        Map<String, Integer> moved = new TreeMap<>();
        for (ConfiguredListener listener : listeners) {
            ConfiguredListener placed = listener;
            if (listener.standardPort() && overlap(listener.port(), firstHttp, count)) {
                placed = listener.at(firstHttp + count);
                moved.put(listener.portKey(), placed.port());
            }
            requireBelowEnd(placed.portSetting(), placed.port(), count);
            requireApart(placed.portSetting(), placed.port(), HttpSettings.PORT, firstHttp, count);
            requireApart(placed.portSetting(), placed.port(), HttpSettings.PROBE_PORT, firstProbes, count);
            for (ConfiguredListener other : all) {
                requireApart(placed.portSetting(), placed.port(), other.portSetting(), other.port(), count);
            }
            all.add(placed);
        }
        return new NodePorts(List.copyOf(all), firstHttp, firstProbes, count, Map.copyOf(moved));
    }

    private static boolean overlap(int first, int otherFirst, int count) {
        return count > 1 && first > 0 && otherFirst > 0 && Math.abs(first - otherFirst) < count;
    }

    private static void requireApart(String setting, int first, String otherSetting, int otherFirst, int count) {
        if (overlap(first, otherFirst, count)) {
            throw new StartupException(
                    count + " nodes need the ports " + range(first, count) + " for " + setting
                            + " and " + range(otherFirst, count) + " for " + otherSetting
                            + ", which overlap: choose other ports",
                    null);
        }
    }

    private static void requireBelowEnd(String setting, int first, int count) {
        if (first + count - 1 > LAST_PORT) {
            throw new StartupException(
                    count + " nodes need consecutive ports from " + setting + " " + first
                            + " on, but the last port is " + LAST_PORT
                            + ": choose a lower one, or 0 for free ports",
                    null);
        }
    }

    private static String range(int first, int count) {
        return first + " to " + (first + count - 1);
    }

    /** Returns the port of a listener of a node, counted from 0; port 0 for a free one. */
    public int mqtt(ConfiguredListener listener, int node) {
        return listener.port() == 0 ? 0 : listener.port() + node;
    }

    /** Returns the HTTP port of a node, counted from 0; port 0 for a free one. */
    public int http(int node) {
        return firstHttp == 0 ? 0 : firstHttp + node;
    }

    /** Returns the port for probes of a node, counted from 0; 0 for a free one, or none. */
    public int probes(int node) {
        return firstProbes == 0 ? 0 : firstProbes + node;
    }
}
