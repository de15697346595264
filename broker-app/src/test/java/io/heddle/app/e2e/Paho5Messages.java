package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.function.Consumer;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;

/** Hands the payloads that a Paho client of MQTT 5.0 receives to a test, as text. */
record Paho5Messages(Consumer<String> received) implements MqttCallback {
    @Override
    public void messageArrived(String topic, MqttMessage message) {
        received.accept(new String(message.getPayload(), UTF_8));
    }

    @Override
    public void disconnected(MqttDisconnectResponse response) {}

    @Override
    public void mqttErrorOccurred(MqttException exception) {}

    @Override
    public void deliveryComplete(IMqttToken token) {}

    @Override
    public void connectComplete(boolean reconnect, String serverUri) {}

    @Override
    public void authPacketArrived(int reasonCode, MqttProperties properties) {}
}
