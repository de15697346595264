package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.packet.PublishPacket;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

class RecordingConnectionTest extends ConnectionContract {
    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final RecordingConnection connection = new RecordingConnection(loop);

    @Override
    protected Connection connection() {
        return connection;
    }

    @Override
    protected void onLoop(Runnable task) {
        loop.execute(task);
        loop.runTasks();
    }

    @Override
    protected void await(BooleanSupplier condition) {
        loop.runTasks();
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Override
    protected List<String> topicsRead() {
        return connection.sent(PublishPacket.class).stream()
                .map(packet -> Objects.requireNonNull(packet.topic()).value())
                .toList();
    }

    @Override
    protected void limitPacketsTo(int bytes) {
        connection.refusePackets();
    }

    @Override
    protected void stopReading() {
        connection.writable(false);
    }

    @Override
    protected void resumeReading() {
        connection.writable(true);
    }

    @Override
    protected void loseClient() {
        connection.lose();
    }
}
