package io.heddle.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.RemoteNetwork;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.View;
import io.heddle.core.testkit.LogLines;
import io.heddle.transport.admission.Place;
import io.heddle.transport.admission.Places;
import io.heddle.transport.link.LinkAdmission.Cause;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Places of connections to the port for links, without a network. The only member has the address 10.0.0.1. */
final class LinkPlacesTest {
    private static final String MEMBER = "10.0.0.1";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LogLines log = new LogLines();
    private final View view = View.atBeginning(0, 1)
            .after(
                    0,
                    new Joined(
                            new NodeDescription(
                                    new NodeId("node-0"),
                                    "",
                                    "",
                                    1,
                                    3,
                                    new NodeDescription.LinkEndpoint(MEMBER + ":7000", "ff")),
                            7));
    private final LinkPlaces places = new LinkPlaces(
            log.logger(), new LinkAdmission("ff", () -> view), new LinkMetrics(registry), Duration.ofSeconds(5));
    private final List<EmbeddedChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    private EmbeddedChannel channel(String address) {
        EmbeddedChannel channel = new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
                return new InetSocketAddress(InetAddress.ofLiteral(address), 4711);
            }
        };
        channels.add(channel);
        return channel;
    }

    /** Opens connections that send the first byte of a handshake and nothing more. */
    private int admitted(String address, int attempts) {
        int count = 0;
        for (int i = 0; i < attempts; i++) {
            Place place = places.enter(channel(address));
            if (place != null) {
                count++;
                assertThat(place.heard(RemoteNetwork.of(InetAddress.ofLiteral(address))))
                        .isEqualTo(Places.Answer.TAKEN);
            }
        }
        return count;
    }

    @Test
    void otherMachinesTakeNoPlaceOfAMember() {
        int strangers = 0;
        for (int machine = 1; machine < 20; machine++) {
            strangers += admitted("192.0.2." + machine, 100);
        }

        assertThat(strangers).isEqualTo(64);
        assertThat(admitted(MEMBER, 128)).isEqualTo(128);
    }

    @Test
    void silentConnectionsShareALineAndAreAllCounted() {
        for (int i = 0; i < 10; i++) {
            places.close(channel("192.0.2.1"), Cause.SILENT);
        }

        assertThat(log.all().stream().filter(line -> line.startsWith("WARN"))).hasSize(1);
        assertThat(log.all().getFirst()).contains("heddle.cluster.port").contains("address=/192.0.2.1:4711");
        assertThat(registry.get("heddle.links.refused")
                        .tag("reason", "silent")
                        .counter()
                        .count())
                .isEqualTo(10);
    }
}
