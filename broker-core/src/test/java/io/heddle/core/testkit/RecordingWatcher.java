package io.heddle.core.testkit;

import io.heddle.core.client.ClientEvents.Watcher;
import io.heddle.core.client.event.ClientEvent;
import io.heddle.core.client.event.ClientEvent.Client;
import io.heddle.core.client.event.ClientEvent.Connected;
import io.heddle.core.client.event.ClientEvent.Disconnected;
import io.heddle.core.client.event.ClientEvent.Dropped;
import io.heddle.core.client.event.ClientEvent.Kind;
import io.heddle.core.client.event.ClientEvent.Refused;
import io.heddle.core.client.event.ClientEvent.SessionEnded;
import io.heddle.core.client.event.ClientEvent.SubscriptionsChanged;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.MqttPacket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Records what it sees as text, such as {@code in PUBLISH t c/u}. */
public final class RecordingWatcher implements Watcher {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    /** Returns what was seen since the last call. */
    public List<String> seen() {
        List<String> all = List.copyOf(seen);
        seen.clear();
        return all;
    }

    private void add(String event, Client client) {
        seen.add(event + " " + client.clientId() + "/" + client.userName());
    }

    @Override
    public void onPacket(Client client, boolean isInbound, MqttPacket packet, @Nullable TopicName topic) {
        String type = packet.getClass().getSimpleName().replace("Packet", "");
        add((isInbound ? "in " : "out ") + type + (topic == null ? "" : " " + topic), client);
    }

    @Override
    public void onEvent(ClientEvent event) {
        String text = switch (event) {
            case Connected connected ->
                "connected " + connected.version().text() + " present=" + connected.sessionPresent();
            case Disconnected disconnected -> "ended " + disconnected.reason();
            case Refused refused ->
                (refused.kind() == Kind.DENIED ? "denied " : "refused ") + refused.refused() + " " + refused.reason();
            case Dropped dropped -> "dropped " + dropped.reason() + " " + dropped.topic();
            case SubscriptionsChanged changed -> changed.change() + " " + filters(changed);
            case SessionEnded session -> "session ended " + session.reason();
        };
        add(text, event.client());
    }

    private static String filters(SubscriptionsChanged changed) {
        return changed.filters().stream()
                .map(each -> each.qos() == null ? each.topicFilter() : each.topicFilter() + ":" + each.qos())
                .collect(Collectors.joining(","));
    }
}
