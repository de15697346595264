package io.heddle.core.testkit;

import io.heddle.core.client.ClientEvents.Client;
import io.heddle.core.client.ClientEvents.Watcher;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.client.RecentDrops.DroppedMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.MqttPacket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
    public void onRefusal(Client client, String kind, String reason, String detail) {
        add("refused " + kind + " " + reason, client);
    }

    @Override
    public void onDrop(Client client, DroppedMessage message) {
        add("dropped " + message.reason() + " " + message.topic(), client);
    }

    @Override
    public void onEnd(Client client, DisconnectCause cause) {
        add("ended " + cause.reason(), client);
    }
}
