package io.heddle.transport.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.View;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.link.LinkListener;
import io.heddle.core.link.NodeLinks;
import io.heddle.transport.link.LinkedNodes.Node;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Links over TLS between nodes on loopback, through a proxy that breaks connections. */
class LinksTest {
    private static final int KIND = 7;
    private static final int MAXIMUM_PAYLOAD_BYTES = 300_000;
    private static final LinkSettings SETTINGS = LinkedNodes.settings(MAXIMUM_PAYLOAD_BYTES, 100_000);
    private static final LinkSettings IMPATIENT = new LinkSettings(
            MAXIMUM_PAYLOAD_BYTES,
            100_000,
            Duration.ofSeconds(5),
            Duration.ofMillis(5),
            Duration.ofMillis(50),
            Duration.ofMillis(100));
    private static final LinkSettings SLOWLY_PROBING = new LinkSettings(
            MAXIMUM_PAYLOAD_BYTES,
            100_000,
            Duration.ofSeconds(10),
            Duration.ofMillis(5),
            Duration.ofMillis(50),
            Duration.ofMillis(500));

    @AutoClose
    private final LinkedNodes nodes = new LinkedNodes(SETTINGS);

    private final List<Integer> received = new CopyOnWriteArrayList<>();

    private Node receiver() throws Exception {
        Node node = nodes.start();
        node.links.receive(
                KIND,
                KIND,
                (_, _, _, payload) -> received.add(ByteBuffer.wrap(payload).getInt()));
        return node;
    }

    private static byte[] payload(int number, int bytes) {
        return ByteBuffer.allocate(bytes).putInt(number).array();
    }

    private static boolean send(Node from, Node to, int number) {
        return from.links.send(to.incarnation, NodeLinks.CONTROL, KIND, payload(number, 20));
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Test
    void everyFrameArrivesOnceAlthoughConnectionsBreak() throws Exception {
        long seed = System.nanoTime();
        Node a = nodes.start();
        Node b = receiver();
        b.proxy.breakRandomly(new Random(seed));
        nodes.join(a).join(b).show(a).show(b);
        for (int i = 0; i < 20_000; i++) {
            int number = i;
            LinkedNodes.await(() -> send(a, b, number));
        }
        b.proxy.heal();
        LinkedNodes.await(() -> received.size() >= 20_000);

        assertThat(received).as("seed %d", seed).isEqualTo(numbers(20_000));
        assertThat(a.count("heddle.links.lost")).isPositive();
        assertThat(a.count("heddle.links.frames.repeated")).isPositive();
        LinkedNodes.await(() -> a.gauge("heddle.links.unacknowledged.bytes") == 0);
        LinkedNodes.await(() -> b.count("heddle.links.frames.received") == 20_000);
    }

    @Test
    void aFrameLargerThanTheBoundPassesAlone() throws Exception {
        Node a = nodes.start();
        Node b = receiver();
        nodes.join(a).join(b).show(a);
        assertThat(a.links.send(b.incarnation, 1, KIND, payload(0, MAXIMUM_PAYLOAD_BYTES)))
                .isTrue();
        assertThat(a.links.send(b.incarnation, 1, KIND, payload(1, 20))).isFalse();
        assertThat(a.count("heddle.links.frames.refused")).isOne();
        LinkedNodes.await(() -> b.count("heddle.links.refused", "not_addressed") > 0);
        nodes.show(b);

        LinkedNodes.await(() -> a.links.send(b.incarnation, 1, KIND, payload(1, 20)));
        LinkedNodes.await(() -> received.equals(numbers(2)));
    }

    @Test
    void aNodeThatTheOtherHasNotReadOfIsAdmittedLater() throws Exception {
        Node b = receiver();
        nodes.join(b).show(b);
        Node a = nodes.start();
        nodes.join(a).show(a);
        assertThat(send(a, b, 0)).isTrue();
        LinkedNodes.await(() -> b.count("heddle.links.refused", "unknown") > 0);
        assertThat(received).isEmpty();
        assertThat(a.links.isUp(b.incarnation)).isFalse();

        nodes.show(b);
        LinkedNodes.await(() -> received.size() == 1);
    }

    @Test
    void aNodeThatHasEndedIsRefusedAndTold() throws Exception {
        Node a = nodes.start();
        Node b = receiver();
        Queue<Incarnation> told = new ConcurrentLinkedQueue<>();
        a.links.watch(new LinkListener() {
            @Override
            public void onSelfEnded(Incarnation member) {
                told.add(member);
            }
        });
        nodes.join(a).join(b).show(a).leave(a).show(b);
        assertThat(send(a, b, 0)).isTrue();

        LinkedNodes.await(() -> b.count("heddle.links.refused", "ended") > 0);
        assertThat(received).isEmpty();
        LinkedNodes.await(() -> told.contains(b.incarnation));
    }

    @Test
    void framesForAnEarlierRunDoNotReachItsSuccessorAtTheSameAddress() throws Exception {
        Node a = nodes.start();
        Node earlier = nodes.start();
        nodes.join(a).join(earlier).show(a);
        nodes.leave(earlier);
        Node later = receiver();
        nodes.join(later).show(later);
        earlier.proxy.forwardTo(later.port);

        // A has not read of the change.
        assertThat(send(a, earlier, 0)).isTrue();
        LinkedNodes.await(() -> a.count("heddle.links.faults", "certificate") > 0);
        nodes.show(a);
        assertThat(send(a, later, 1)).isTrue();
        LinkedNodes.await(() -> received.equals(List.of(1)));
    }

    @Test
    void aMemberCannotSendInTheNameOfAnother() throws Exception {
        Node a = nodes.start();
        Node b = receiver();
        Node attacker = nodes.start();
        nodes.join(a).join(b).join(attacker).show(b);
        attacker.links.onView(View.atBeginning(0, 1)
                .after(a.incarnation.offset(), LinkedNodes.joined(a, attacker.identity.fingerprint()))
                .after(b.incarnation.offset(), LinkedNodes.joined(b, b.identity.fingerprint())));
        assertThat(send(attacker, b, 0)).isTrue();

        LinkedNodes.await(() -> b.count("heddle.links.refused", "certificate") > 0);
        assertThat(received).isEmpty();
    }

    @Test
    void aNodeThatShowsTheCertificateOfAnotherRunIsNotSentTo() throws Exception {
        Node a = nodes.start();
        Node b = receiver();
        Node c = nodes.start();
        nodes.join(a).joinWith(b, c.identity.fingerprint()).show(a).show(b);
        assertThat(send(a, b, 0)).isTrue();

        LinkedNodes.await(() -> a.count("heddle.links.faults", "certificate") > 0);
        assertThat(received).isEmpty();
        assertThat(a.links.isUp(b.incarnation)).isFalse();
    }

    @Test
    void aPeerThatFallsSilentIsGivenUpAndFramesArriveOnANewConnection() throws Exception {
        Node a = nodes.start();
        Node b = receiver();
        nodes.join(a).join(b).show(a).show(b);
        LinkedNodes.await(() -> a.links.isUp(b.incarnation));
        b.proxy.silence();
        assertThat(send(a, b, 0)).isTrue();
        LinkedNodes.await(() -> !a.links.isUp(b.incarnation));
        assertThat(received).isEmpty();

        b.proxy.heal();
        LinkedNodes.await(() -> received.equals(List.of(0)));
        LinkedNodes.await(() -> a.links.isUp(b.incarnation));
    }

    @Test
    void anIdleLinkStaysUp() throws Exception {
        Node a = nodes.start(SLOWLY_PROBING);
        Node b = nodes.start(SLOWLY_PROBING);
        nodes.join(a).join(b).show(a).show(b);
        LinkedNodes.await(() -> a.links.isUp(b.incarnation));

        LinkedNodes.awaitDuring(SLOWLY_PROBING.receiverPatience().plusMillis(500), () -> a.links.isUp(b.incarnation));
        assertThat(a.count("heddle.links.lost")).isZero();
    }

    @Test
    void bytesOfAnotherProtocolCloseTheConnection() throws Exception {
        Node b = receiver();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), b.port)) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(ends(socket)).isTrue();
        }
        LinkedNodes.await(() -> b.count("heddle.links.faults", "malformed") == 1);
    }

    @Test
    void aClientThatSaysNothingIsClosed() throws Exception {
        Node b = nodes.start(IMPATIENT);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), b.port)) {
            assertThat(ends(socket)).isTrue();
        }
        LinkedNodes.await(() -> b.count("heddle.links.refused", "silent") == 1);
    }

    @Test
    void connectionsThatDoNotSayWhoTheyAreAreBounded() throws Exception {
        Node b = nodes.start(IMPATIENT);
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 70; i++) {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), b.port));
            }
            // One address has half of the places.
            LinkedNodes.await(() -> b.count("heddle.links.refused", "crowded") >= 38);
            LinkedNodes.await(
                    () -> b.count("heddle.links.refused", "crowded") + b.count("heddle.links.refused", "silent") == 70);
        } finally {
            for (Socket each : sockets) {
                each.close();
            }
        }
        Node a = nodes.start();
        nodes.join(b).join(a).show(a).show(b);
        LinkedNodes.await(() -> a.links.isUp(b.incarnation));
    }

    @Test
    void silentConnectionsDoNotKeepAMemberOut() throws Exception {
        LinkSettings patient = new LinkSettings(
                MAXIMUM_PAYLOAD_BYTES,
                100_000,
                LinkedNodes.PATIENCE.multipliedBy(20),
                Duration.ofMillis(5),
                Duration.ofMillis(50),
                Duration.ofMillis(100));
        Node a = nodes.start();
        Node b = nodes.start(patient);
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), b.port));
            }
            nodes.join(a).join(b).show(a).show(b);

            LinkedNodes.await(() -> a.links.isUp(b.incarnation));
        } finally {
            for (Socket each : sockets) {
                each.close();
            }
        }
    }

    @Test
    void theFirstFreePortOfTheRangeIsBound() throws Exception {
        Node a = nodes.start();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int first = taken.getLocalPort();
            assertThat(a.links.start(InetAddress.getLoopbackAddress(), first, first + 5))
                    .isBetween(first + 1, first + 5);
            assertThatThrownBy(() -> a.links.start(InetAddress.getLoopbackAddress(), first, first))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("port " + first)
                    .hasMessageContaining("set heddle.cluster.port");
        }
    }

    @Test
    void onlyAddressesWithoutNamesAreRead() throws Exception {
        assertThat(LinkAddress.parse("10.0.0.5:7883"))
                .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("10.0.0.5"), 7_883));
        assertThat(LinkAddress.parse(LinkAddress.format(InetAddress.ofLiteral("fe80::1"), 1)))
                .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("fe80::1"), 1));
        for (String wrong :
                List.of("", "10.0.0.5", "localhost:1", "10.0.0.5:0", "10.0.0.5:65536", "10.0.0.5:x", ":1")) {
            assertThat(LinkAddress.parse(wrong)).as(wrong).isNull();
        }
    }

    private static boolean ends(Socket socket) throws IOException {
        socket.setSoTimeout((int) LinkedNodes.PATIENCE.toMillis());
        try {
            return socket.getInputStream().readAllBytes().length < 1_000;
        } catch (java.net.SocketTimeoutException waits) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }
}
