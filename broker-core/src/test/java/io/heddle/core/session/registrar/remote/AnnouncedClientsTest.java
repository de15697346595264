package io.heddle.core.session.registrar.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.LeaveOutcome;
import io.heddle.core.session.registrar.OpenOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The nodes announce their clients without persistent sessions to the next holder of a bucket. */
final class AnnouncedClientsTest {
    private final RegistrarNodes nodes = new RegistrarNodes();
    private final RegistrarNodes.Node a = nodes.a;
    private final RegistrarNodes.Node b = nodes.b;
    private final RegistrarNodes.Node c = nodes.c;

    @Test
    void theNextHolderLearnsOfTransientClientsBeforeOtherRequests() {
        CompletableFuture<OpenOutcome> first = c.open("first");
        nodes.run();
        a.own.openings.getFirst().complete(new OpenOutcome.Transient(50));
        nodes.run();
        assertThat(first).isCompleted();
        var _ = c.open("second");

        nodes.kill(a);
        nodes.take(b);
        nodes.readAll();

        assertThat(b.own.calls).containsExactly("announce first 50", "open second");
    }

    @Test
    void eachNodeTellsTheNextHolderThatItHasAnnouncedItsClients() {
        nodes.kill(a);
        nodes.take(b);
        nodes.readAll();

        assertThat(b.own.announced).containsExactlyInAnyOrder(b.incarnation.toString(), c.incarnation.toString());
    }

    @Test
    void aFullListOfTransientClientsIsFollowedByAnotherOne() {
        Grants grants = new Grants();
        for (String id : List.of("x", "y")) {
            grants.add(
                    new ClientId(id),
                    new Grants.Grant(Departure.TRANSIENT, 1, null, CompletableFuture.completedStage(null)));
        }

        assertThat(grants.transients(3)).extracting(List::size).containsExactly(2);
        assertThat(grants.transients(2)).extracting(List::size).containsExactly(2, 0);
    }

    @Test
    void aClientThatHasLeftIsNotAnnounced() {
        CompletableFuture<OpenOutcome> first = c.open("first");
        nodes.run();
        a.own.openings.getFirst().complete(new OpenOutcome.Transient(50));
        nodes.run();
        assertThat(first).isCompleted();
        c.registrar.leave(Departure.ofTransient(new ClientId("first"), 50));
        nodes.run();
        a.own.departures.getFirst().complete(LeaveOutcome.LEFT);
        nodes.run();

        nodes.release(a);
        nodes.take(b);
        nodes.readAll();

        assertThat(b.own.calls).isEmpty();
    }
}
