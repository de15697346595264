package io.heddle.core.session.registrar.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.TransientClient;
import io.heddle.core.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A link without room, and a node that ends. Requests and answers over a link with room are tested with two nodes. */
final class RegistrarPeerTest {
    private static final ClientId CLIENT = new ClientId("c");

    private final ManualEventLoop timers = new ManualEventLoop(0);
    private final List<RegistrarFrame> sent = new ArrayList<>();
    private int room;
    private final CompletableFuture<OpenOutcome> ownAnswer = new CompletableFuture<>();
    private final RegistrarPeer peer = new RegistrarPeer(this::send, own(), (_, _) -> {}, timers);

    private boolean send(byte[] frame) {
        if (room == 0) {
            return false;
        }
        room--;
        sent.add(RegistrarFrame.decode(frame));
        return true;
    }

    private Registrar own() {
        return new Registrar() {
            @Override
            public CompletionStage<OpenOutcome> open(OpenRequest request) {
                return ownAnswer;
            }

            @Override
            public CompletionStage<Void> leave(Departure departure) {
                return CompletableFuture.completedStage(null);
            }

            @Override
            public CompletionStage<ChangeOutcome> change(SubscriptionChange change) {
                return CompletableFuture.failedStage(new IllegalStateException("a bug"));
            }

            @Override
            public void announce(String node, List<TransientClient> clients) {}
        };
    }

    private static OpenRequest request() {
        return new OpenRequest(
                new ClientIdentity(CLIENT, ClientType.DEVICE, null), null, false, 60, null, "12-0000abcd");
    }

    private static Departure departure(long epoch) {
        return new Departure(CLIENT, 1, epoch, 0, 60, null);
    }

    private static SubscriptionChange change() {
        return new SubscriptionChange.Unsubscribe(CLIENT, 1, 2, List.of("t"));
    }

    @Test
    void openingsAndChangesAreRefusedWhileTheLinkIsFull() {
        assertThat(peer.open(request()).toCompletableFuture().join())
                .isEqualTo(new OpenOutcome.Unavailable(
                        ReasonCode.SERVER_BUSY, "the link to the node that decides about the client is full"));
        assertThat(peer.change(change()).toCompletableFuture().join()).isInstanceOf(ChangeOutcome.Failed.class);
        assertThat(timers.timers()).as("no limit is left").isZero();
    }

    @Test
    void departuresAndAnswersWaitForRoomInTheirOrder() {
        peer.onFrame(new RegistrarFrame.Open(7, request()).encode());
        CompletionStage<Void> left = peer.leave(departure(3));
        ownAnswer.complete(new OpenOutcome.Transient(5));
        peer.close(CLIENT, 5);
        room = 2;
        timers.advance(Duration.ofMillis(100));
        // A later frame does not overtake the one that still waits.
        room = 2;
        assertThat(peer.open(request()).toCompletableFuture()).isCompleted();
        timers.advance(Duration.ofMillis(100));

        assertThat(sent)
                .containsExactly(
                        new RegistrarFrame.Leave(1, departure(3)),
                        new RegistrarFrame.Opened(7, new OpenOutcome.Transient(5)),
                        new RegistrarFrame.Close(CLIENT, 5));
        peer.onFrame(new RegistrarFrame.Left(1, true).encode());
        assertThat(left.toCompletableFuture()).isCompleted();
        assertThat(timers.timers()).isZero();
    }

    @Test
    void theEndOfTheNodeAnswersAllRequests() {
        room = 2;
        CompletionStage<OpenOutcome> opened = peer.open(request());
        CompletionStage<ChangeOutcome> changed = peer.change(change());
        CompletionStage<Void> left = peer.leave(departure(3));

        peer.onEnded();

        assertThat(opened.toCompletableFuture())
                .isCompletedWithValueMatching(
                        outcome -> outcome instanceof OpenOutcome.Unavailable(ReasonCode reason, String _)
                                && reason == ReasonCode.SERVER_UNAVAILABLE);
        assertThat(changed.toCompletableFuture()).isCompletedWithValueMatching(ChangeOutcome.Failed.class::isInstance);
        assertThat(left.toCompletableFuture()).isCompletedExceptionally();
        assertThat(peer.leave(departure(4)).toCompletableFuture()).isCompletedExceptionally();
        timers.advance(Duration.ofSeconds(20));
        assertThat(sent).as("nothing after the end").hasSize(2);
        assertThat(timers.timers()).isZero();
    }

    @Test
    void aBugOfThisNodeFailsTheChangeOfTheOther() {
        room = 1;

        peer.onFrame(new RegistrarFrame.Change(9, change()).encode());

        assertThat(sent)
                .containsExactly(new RegistrarFrame.Changed(
                        9, new ChangeOutcome.Failed("a bug in the node that decides about the client")));
    }
}
