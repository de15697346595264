package io.heddle.standalone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayIT {
    private static final int PATIENCE_MILLIS = 60_000;

    private ServerSocket echo;
    private Relay relay;

    @BeforeEach
    void startEcho() throws IOException {
        echo = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("echo").start(this::echo);
        relay = Relay.open();
        relay.forwardTo(echo.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        relay.close();
        echo.close();
    }

    private void echo() {
        while (!echo.isClosed()) {
            try {
                Socket socket = echo.accept();
                Thread.ofVirtual().name("echo-connection").start(() -> answer(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void answer(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException endsWithItsPeer) {
            return;
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), relay.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static int roundTrip(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        return socket.getInputStream().read();
    }

    @Test
    void dataIsForwardedInBothDirections() throws IOException {
        try (Socket socket = connect()) {
            assertThat(roundTrip(socket, 7)).isEqualTo(7);
        }
    }

    @Test
    void cutClosesConnectionsUntilRestored() throws IOException {
        try (Socket socket = connect()) {
            roundTrip(socket, 1);
            relay.cut();
            assertThatThrownBy(() -> roundTrip(socket, 2)).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> {
                    try (Socket socket = connect()) {
                        if (roundTrip(socket, 3) < 0) {
                            throw new IOException("ended");
                        }
                    }
                })
                .isInstanceOf(IOException.class);

        relay.restore();
        try (Socket socket = connect()) {
            assertThat(roundTrip(socket, 4)).isEqualTo(4);
        }
    }

    @Test
    void silenceHoldsDataUntilRestored() throws IOException {
        try (Socket socket = connect()) {
            roundTrip(socket, 1);
            relay.silence();
            socket.setSoTimeout(100);
            assertThatThrownBy(() -> roundTrip(socket, 2)).isInstanceOf(SocketTimeoutException.class);

            relay.restore();
            socket.setSoTimeout(PATIENCE_MILLIS);
            assertThat(socket.getInputStream().read()).isEqualTo(2);
        }
    }

    @Test
    void silentServersReceiveAndTheirAnswersAreHeld() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            relay.forwardTo(server.getLocalPort());
            try (Socket client = connect();
                    Socket accepted = server.accept()) {
                relay.silenceServers();
                client.getOutputStream().write(1);
                assertThat(accepted.getInputStream().read()).isEqualTo(1);
                accepted.getOutputStream().write(2);
                client.setSoTimeout(100);
                assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

                relay.restore();
                client.setSoTimeout(PATIENCE_MILLIS);
                assertThat(client.getInputStream().read()).isEqualTo(2);
            }
        }
    }

    @Test
    void delayHoldsEachChunk() throws IOException {
        Duration delay = Duration.ofMillis(50);
        try (Socket socket = connect()) {
            relay.delay(delay);
            long began = System.nanoTime();
            assertThat(roundTrip(socket, 1)).isEqualTo(1);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(delay.multipliedBy(2));
        }
    }
}
