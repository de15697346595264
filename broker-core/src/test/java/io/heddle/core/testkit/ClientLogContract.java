package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientChange.OfEpoch;
import io.heddle.core.session.persistent.ClientChange.OfRoute;
import io.heddle.core.session.persistent.ClientChange.OfSession;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.testkit.RecordingFollower.Followed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The contract of {@link ClientLog}. Each test starts with an empty log of {@link #BUCKETS} buckets. */
public abstract class ClientLogContract {
    protected static final int BUCKETS = 3;

    private final Buckets buckets = new Buckets(BUCKETS);

    /** The log under test, the same throughout a test. */
    protected abstract ClientLog log();

    @Test
    void aFollowerOfAnEmptyLogGetsNothing() {
        assertThat(replayed()).isEmpty();
    }

    @Test
    void committedChangesAreReplayed() throws Exception {
        SessionRecord away = new SessionRecord(5, ClientType.APPLICATION, "ann", 4_294_967_295L, "", 6, 7);
        Route shared = new Route(client(2), "$share/g/a/+/#", 5, QoS.EXACTLY_ONCE, true, false, 9);
        commit(new OfSession(client(1), session(1)));
        commit(new OfSession(client(2), away), new OfRoute(shared.key(), shared), route(2, "b", 5));

        assertThat(replayed())
                .containsExactlyInAnyOrder(
                        new OfSession(client(1), session(1)),
                        new OfSession(client(2), away),
                        new OfRoute(shared.key(), shared),
                        route(2, "b", 5));
    }

    @Test
    void changesOfABucketAreReplayedInTheirOrder() throws Exception {
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        for (int i = 1; i <= 300; i++) {
            answers.add(begin(new OfSession(client(i % 7), session(i)), route(i % 7, "a", i)));
        }
        for (CompletableFuture<Long> answer : answers) {
            answer.get(20, TimeUnit.SECONDS);
        }

        Map<ClientId, List<Long>> generations = new HashMap<>();
        for (ClientChange change : replayed()) {
            switch (change) {
                case OfSession(ClientId clientId, SessionRecord session) ->
                    generations
                            .computeIfAbsent(clientId, _ -> new ArrayList<>())
                            .add(session == null ? 0 : session.generation());
                case OfEpoch _ -> throw new AssertionError(change);
                case OfRoute(RouteKey key, Route route) ->
                    assertThat(generations.getOrDefault(key.clientId(), List.of()))
                            .as("the session of the same commit")
                            .endsWith(route == null ? 0 : route.generation());
            }
        }

        assertThat(generations).hasSize(7);
        assertThat(generations.get(client(6))).isSorted().startsWith(6L, 13L).endsWith(293L, 300L);
    }

    @Test
    void removedSessionsAndSubscriptionsAreReplayedAsRemoved() throws Exception {
        commit(new OfSession(client(1), session(1)), route(1, "a", 1), route(1, "b", 1));
        commit(new OfRoute(route(1, "a", 1).key(), null));
        commit(new OfSession(client(1), null));

        assertThat(last(replayed()))
                .containsEntry(client(1), new OfSession(client(1), null))
                .containsEntry(
                        route(1, "a", 1).key(), new OfRoute(route(1, "a", 1).key(), null))
                .containsEntry(route(1, "b", 1).key(), route(1, "b", 1));
    }

    @Test
    void theLastEpochOfABucketIsReplayed() throws Exception {
        commit(new OfSession(client(1), null), new OfEpoch(5));
        commit(new OfSession(client(1), null), new OfEpoch(Long.MAX_VALUE));

        assertThat(last(replayed())).containsEntry(OfEpoch.class, new OfEpoch(Long.MAX_VALUE));
    }

    @Test
    void aFollowerGetsLaterChangesInTheirBucketsWithTheOffsetsOfTheirCommits() throws Exception {
        ClientLog followed = log();
        RecordingFollower<ClientChange> follower = new RecordingFollower<>();
        followed.follow(follower);
        follower.awaitEnds(followed::ends);
        assertThat(follower.followed()).isEmpty();

        long first =
                begin(new OfSession(client(1), session(1)), route(1, "a", 1)).get(20, TimeUnit.SECONDS);
        follower.awaitEnds(followed::ends);
        assertThat(follower.followed().getLast())
                .isEqualTo(new Followed<>(buckets.of(client(1)), first, route(1, "a", 1)));

        long second = begin(new OfRoute(route(1, "a", 1).key(), null)).get(20, TimeUnit.SECONDS);
        follower.awaitEnds(followed::ends);
        assertThat(second).isGreaterThan(first);
        assertThat(follower.followed())
                .hasSize(3)
                .endsWith(new Followed<>(
                        buckets.of(client(1)),
                        second,
                        new OfRoute(route(1, "a", 1).key(), null)));
    }

    @Test
    void aFollowerWithoutRoomGetsTheChangesWhenItHasRoomAgain() throws Exception {
        ClientLog followed = log();
        RecordingFollower<ClientChange> follower = new RecordingFollower<>();
        follower.full(true);
        followed.follow(follower);
        for (int i = 1; i <= 10; i++) {
            commit(new OfSession(client(i), session(i)));
        }
        RecordingFollower<ClientChange> other = new RecordingFollower<>();
        followed.follow(other);
        other.awaitEnds(followed::ends);
        assertThat(other.followed()).hasSize(10);
        assertThat(follower.followed()).isEmpty();

        follower.full(false);
        follower.awaitEnds(followed::ends);

        assertThat(follower.followed()).containsExactlyInAnyOrderElementsOf(other.followed());
    }

    /** Reads all changes. */
    protected final List<ClientChange> replayed() {
        return RecordingFollower.read(log());
    }

    private static Map<Object, ClientChange> last(List<ClientChange> changes) {
        Map<Object, ClientChange> last = new HashMap<>();
        for (ClientChange change : changes) {
            switch (change) {
                case OfSession session -> last.put(session.clientId(), session);
                case OfRoute route -> last.put(route.key(), route);
                case OfEpoch epoch -> last.put(OfEpoch.class, epoch);
            }
        }
        return last;
    }

    /** Commits changes of one client. */
    protected final void commit(ClientChange... changes) throws Exception {
        begin(changes).get(20, TimeUnit.SECONDS);
    }

    private CompletableFuture<Long> begin(ClientChange... changes) {
        ClientId clientId = switch (changes[0]) {
            case OfSession session -> session.clientId();
            case OfRoute route -> route.key().clientId();
            case OfEpoch _ -> throw new IllegalArgumentException("begin with the session that ends");
        };
        return log().commit(buckets.of(clientId), List.of(changes)).toCompletableFuture();
    }

    protected static ClientId client(int number) {
        return new ClientId("client-" + number);
    }

    protected static SessionRecord session(int generation) {
        return new SessionRecord(generation, ClientType.DEVICE, null, 3_600, "node-1", generation, 0);
    }

    protected static OfRoute route(int client, String filter, long generation) {
        Route route = new Route(client(client), filter, generation, QoS.AT_LEAST_ONCE, false, false, 0);
        return new OfRoute(route.key(), route);
    }
}
