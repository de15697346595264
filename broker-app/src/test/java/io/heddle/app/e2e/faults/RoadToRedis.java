package io.heddle.app.e2e.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.heddle.standalone.testkit.Relay;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Relays between one broker and the masters of a Redis Cluster. The masters announce their own addresses, so the relays replace them by those
 * of the relays. All ports have five digits. One test thread.
 */
final class RoadToRedis implements AutoCloseable {
    private static final String HOST = "127.0.0.1:";
    private static final int LONGEST_ADDRESS = HOST.length() + 5;

    private final List<String> urls;
    private final List<Relay> relays = new ArrayList<>();
    // By the address of the master.
    private final Map<String, String> addresses = new LinkedHashMap<>();

    private RoadToRedis(List<String> urls) {
        this.urls = List.copyOf(urls);
    }

    static RoadToRedis open(List<String> urls) throws IOException {
        RoadToRedis road = new RoadToRedis(urls);
        for (String url : urls) {
            Relay relay = Relay.rewriting(() -> road.new Addresses()::replace);
            road.relays.add(relay);
            road.addresses.put(HOST + URI.create(url).getPort(), HOST + relay.port());
        }
        for (int i = 0; i < urls.size(); i++) {
            road.relays.get(i).forwardTo(URI.create(urls.get(i)).getPort());
        }
        return road;
    }

    /** Returns the setting of the broker. */
    String setting() {
        return urls.stream()
                .map(url -> {
                    String master = HOST + URI.create(url).getPort();
                    return url.replace(master, addresses.getOrDefault(master, master));
                })
                .collect(Collectors.joining(",", "--heddle.redis.url=", ""));
    }

    /** The relays, one for each master. */
    List<Relay> relays() {
        return relays;
    }

    @Override
    public void close() throws IOException {
        for (Relay relay : relays) {
            relay.close();
        }
    }

    /** Replaces the addresses in the answers on one connection. An address of which only the beginning has arrived waits for the rest. */
    private final class Addresses {
        private String incomplete = "";

        byte[] replace(byte[] bytes, int length) {
            String text = incomplete + new String(bytes, 0, length, ISO_8859_1);
            for (Map.Entry<String, String> each : addresses.entrySet()) {
                text = text.replace(each.getKey(), each.getValue());
            }
            int complete = beginningOfAddress(text);
            incomplete = text.substring(complete);
            return text.substring(0, complete).getBytes(ISO_8859_1);
        }

        /** Returns where an incomplete address begins at the end of the text, or the length of the text. */
        private int beginningOfAddress(String text) {
            for (int from = Math.max(0, text.length() - LONGEST_ADDRESS); from < text.length(); from++) {
                String end = text.substring(from);
                if (addresses.keySet().stream().anyMatch(address -> address.startsWith(end))) {
                    return from;
                }
            }
            return text.length();
        }
    }
}
