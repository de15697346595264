package io.heddle.app.nodes;

import io.heddle.core.lifecycle.StartupException;

/**
 * The ports of the nodes of one machine: those of the first node and the consecutive ones.
 *
 * @param firstMqtt 0 if each node picks a free port
 * @param firstHttp 0 if each node picks a free port
 * @param count the number of nodes
 */
public record NodePorts(int firstMqtt, int firstHttp, int count) {
    private static final int LAST_PORT = 65_535;

    /** Throws StartupException if there are not enough ports, or if a port is in both ranges. */
    public static NodePorts of(int firstMqtt, int firstHttp, int count) {
        requireBelowEnd("mqtt", firstMqtt, count);
        requireBelowEnd("http", firstHttp, count);
        if (firstMqtt > 0 && firstHttp > 0 && Math.abs(firstMqtt - firstHttp) < count) {
            throw new StartupException(
                    count + " nodes need the MQTT ports " + range(firstMqtt, count) + " and the HTTP ports "
                            + range(firstHttp, count)
                            + ", which overlap: choose other ports with heddle.mqtt.port (--mqtt-port) or heddle.http.port"
                            + " (--http-port)",
                    null);
        }
        return new NodePorts(firstMqtt, firstHttp, count);
    }

    private static void requireBelowEnd(String group, int first, int count) {
        if (first + count - 1 > LAST_PORT) {
            throw new StartupException(
                    count + " nodes need consecutive ports from heddle." + group + ".port (--" + group + "-port) "
                            + first + " on, but the last port is " + LAST_PORT
                            + ": choose a lower one, or 0 for free ports",
                    null);
        }
    }

    private static String range(int first, int count) {
        return first + " to " + (first + count - 1);
    }

    /** Returns the MQTT port of a node, counted from 0; port 0 for a free one. */
    public int mqtt(int node) {
        return firstMqtt == 0 ? 0 : firstMqtt + node;
    }

    /** Returns the HTTP port of a node, counted from 0; port 0 for a free one. */
    public int http(int node) {
        return firstHttp == 0 ? 0 : firstHttp + node;
    }
}
