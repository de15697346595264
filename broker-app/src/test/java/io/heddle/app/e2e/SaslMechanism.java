package io.heddle.app.e2e;

import com.hivemq.client.mqtt.datatypes.MqttUtf8String;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientConfig;
import com.hivemq.client.mqtt.mqtt5.auth.Mqtt5EnhancedAuthMechanism;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5Auth;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5AuthBuilder;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5EnhancedAuthBuilder;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5Disconnect;
import io.heddle.persistence.scram.KafkaScram;
import io.heddle.persistence.scram.ScramAlgorithm;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslException;

/** Lets a client of the HiveMQ library authenticate by clients of SASL, one for each exchange. */
public final class SaslMechanism implements Mqtt5EnhancedAuthMechanism {
    private final String method;
    private final Clients clients;
    /** The outcome of each re-authentication. */
    final BlockingQueue<Boolean> renewed = new LinkedBlockingQueue<>();

    @SuppressWarnings("NullAway.Init") // Set when an exchange begins.
    private volatile SaslClient client;

    /** Creates the client of the next exchange. */
    @FunctionalInterface
    interface Clients {
        SaslClient next() throws SaslException;
    }

    SaslMechanism(String method, Clients clients) {
        this.method = method;
        this.clients = clients;
    }

    /** SCRAM by Kafka's library, with the password of the time at which an exchange begins. */
    public static SaslMechanism scram(ScramAlgorithm algorithm, String userName, Supplier<String> password) {
        return new SaslMechanism(algorithm.mechanism(), () -> KafkaScram.client(algorithm, userName, password.get()));
    }

    @Override
    public MqttUtf8String getMethod() {
        return MqttUtf8String.of(method);
    }

    @Override
    public int getTimeout() {
        return 30;
    }

    private byte[] first() {
        try {
            client = clients.next();
            return client.evaluateChallenge(new byte[0]);
        } catch (SaslException e) {
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<Boolean> isComplete(Optional<ByteBuffer> data) {
        byte[] bytes = bytes(data);
        try {
            client.evaluateChallenge(bytes);
            return CompletableFuture.completedFuture(client.isComplete());
        } catch (SaslException forged) {
            return CompletableFuture.completedFuture(false);
        }
    }

    private static byte[] bytes(Optional<ByteBuffer> data) {
        byte[] bytes = new byte[data.map(ByteBuffer::remaining).orElse(0)];
        data.ifPresent(each -> each.duplicate().get(bytes));
        return bytes;
    }

    @Override
    public CompletableFuture<Void> onAuth(
            Mqtt5ClientConfig config, Mqtt5Connect connect, Mqtt5EnhancedAuthBuilder builder) {
        builder.data(first());
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> onReAuth(Mqtt5ClientConfig config, Mqtt5AuthBuilder builder) {
        builder.data(first());
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Boolean> onContinue(Mqtt5ClientConfig config, Mqtt5Auth auth, Mqtt5AuthBuilder builder) {
        try {
            builder.data(client.evaluateChallenge(bytes(auth.getData())));
            return CompletableFuture.completedFuture(true);
        } catch (SaslException forged) {
            return CompletableFuture.completedFuture(false);
        }
    }

    @Override
    public CompletableFuture<Boolean> onAuthSuccess(Mqtt5ClientConfig config, Mqtt5ConnAck connAck) {
        return isComplete(connAck.getEnhancedAuth().flatMap(each -> each.getData()));
    }

    @Override
    public CompletableFuture<Boolean> onReAuthSuccess(Mqtt5ClientConfig config, Mqtt5Auth auth) {
        return isComplete(auth.getData()).thenApply(isComplete -> {
            renewed.add(isComplete);
            return isComplete;
        });
    }

    @Override
    public void onAuthRejected(Mqtt5ClientConfig config, Mqtt5ConnAck connAck) {}

    @Override
    public void onReAuthRejected(Mqtt5ClientConfig config, Mqtt5Disconnect disconnect) {
        renewed.add(false);
    }

    @Override
    public void onAuthError(Mqtt5ClientConfig config, Throwable cause) {}

    @Override
    public void onReAuthError(Mqtt5ClientConfig config, Throwable cause) {
        renewed.add(false);
    }
}
