package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.MemberState;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord.Condemned;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.View;
import io.heddle.core.testkit.InMemoryLinks;
import io.heddle.core.testkit.InMemoryNodeLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SteadyLinksTest {
    private final InMemoryNodeLog log = new InMemoryNodeLog(InstantSource.system());
    private final InMemoryLinks network = new InMemoryLinks(1, 1_000, 10_000);
    private final AtomicLong nanos = new AtomicLong();

    private Membership join(String id) throws InterruptedException {
        Membership membership = new Membership(
                log.node(),
                new MembershipSettings(
                        new NodeDescription(new NodeId(id), "", id, NodeDescription.FORMATS, 1),
                        false,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5)),
                View.atBeginning(0, 4),
                _ -> false,
                RoutingLease.unlimited(),
                nanos::get,
                _ -> {},
                new SimpleMeterRegistry());
        membership.join(id.hashCode());
        return membership;
    }

    private InMemoryLinks.OfNode link(Membership node, Membership other) {
        InMemoryLinks.OfNode links = network.node(node.incarnation());
        InMemoryLinks.OfNode others = network.node(other.incarnation());
        network.connect(node.incarnation(), other.incarnation());
        assertThat(others.isUp(node.incarnation())).isTrue();
        return links;
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void aNodeServesAtOnceWhenItsLinksAreUp() throws Exception {
        Membership serving = join("a");
        serving.write(new Serving(serving.incarnation()));
        Membership b = join("b");

        assertThat(new SteadyLinks(b, link(b, serving), nanos::get).areSteady()).isTrue();
    }

    @Test
    void aNodeWithoutALinkToAServingNodeWaitsUntilThatOneHasLeft() throws Exception {
        Membership serving = join("a");
        serving.write(new Serving(serving.incarnation()));
        Membership b = join("b");
        InMemoryLinks.OfNode links = link(b, serving);
        network.cut(b.incarnation(), serving.incarnation());
        SteadyLinks steady = new SteadyLinks(b, links, nanos::get);
        pass(Duration.ofMinutes(1));
        assertThat(steady.areSteady()).isFalse();

        serving.leave(Duration.ofSeconds(1));
        assertThat(steady.areSteady()).isTrue();
    }

    @Test
    void aNodeThatDoesNotServeIsNotWaitedFor() throws Exception {
        Membership joining = join("a");
        Membership b = join("b");
        InMemoryLinks.OfNode links = link(b, joining);
        network.cut(b.incarnation(), joining.incarnation());

        assertThat(new SteadyLinks(b, links, nanos::get).areSteady()).isTrue();
    }

    @Test
    void aNodeThatHadToLeaveServesWhenItsLinksHaveBeenUpWithoutInterruption() throws Exception {
        Membership serving = join("a");
        serving.write(new Serving(serving.incarnation()));
        condemn(serving, join("b"));
        Membership b = join("b");
        InMemoryLinks.OfNode links = link(b, serving);
        SteadyLinks steady = new SteadyLinks(b, links, nanos::get);
        pass(Duration.ofSeconds(29));
        assertThat(steady.areSteady()).isFalse();
        network.cut(b.incarnation(), serving.incarnation());
        assertThat(steady.areSteady()).isFalse();
        network.heal(b.incarnation(), serving.incarnation());
        pass(Duration.ofSeconds(29));
        assertThat(steady.areSteady()).isFalse();
        pass(Duration.ofSeconds(1));

        assertThat(steady.areSteady()).isTrue();
    }

    @Test
    void aNodeThatHadToLeaveServesAtOnceIfNoOtherServes() throws Exception {
        Membership serving = join("a");
        serving.write(new Serving(serving.incarnation()));
        condemn(serving, join("b"));
        Membership b = join("b");
        SteadyLinks steady = new SteadyLinks(b, link(b, serving), nanos::get);
        pass(Duration.ofSeconds(1));
        assertThat(steady.areSteady()).isFalse();

        serving.leave(Duration.ofSeconds(1));
        assertThat(steady.areSteady()).isTrue();
    }

    private static void condemn(Membership writer, Membership member) throws InterruptedException {
        Incarnation cutOff = member.incarnation();
        member.write(new Serving(cutOff));
        writer.write(new Heartbeat(
                writer.incarnation(),
                writer.settings().node(),
                MemberState.SERVING,
                1,
                writer.view().next(),
                Set.of(),
                Map.of(cutOff, writer.view().next() - 1)));
        writer.write(new Condemned(writer.incarnation(), cutOff));
        assertThat(member.isOver()).isTrue();
    }

    @Test
    void eachTimeTheWaitDoubles() {
        assertThat(SteadyLinks.waitAfter(0)).isZero();
        assertThat(SteadyLinks.waitAfter(1)).isEqualTo(Duration.ofSeconds(30));
        assertThat(SteadyLinks.waitAfter(2)).isEqualTo(Duration.ofMinutes(1));
        assertThat(SteadyLinks.waitAfter(5)).isEqualTo(Duration.ofMinutes(8));
        assertThat(SteadyLinks.waitAfter(6)).isEqualTo(Duration.ofMinutes(10));
        assertThat(SteadyLinks.waitAfter(1_000_000)).isEqualTo(Duration.ofMinutes(10));
    }
}
