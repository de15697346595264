package io.heddle.core.client.activity;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.Rates;
import io.heddle.core.mqtt.TopicName;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The clients and topics of one event loop with the most activity. Owned by the event loop. */
@HotPath
public final class LoopActivity {
    private final EventLoop loop;
    private final Traffic in;
    private final Traffic out;
    private final Sampler connects;
    private final RecentSums connected;

    /** @param startNanos the time at which the first window of all event loops begins */
    LoopActivity(EventLoop loop, long startNanos) {
        this.loop = loop;
        this.in = new Traffic(loop, 3L * loop.index(), startNanos);
        this.out = new Traffic(loop, 3L * loop.index() + 1, startNanos);
        this.connects = new Sampler(loop, 3L * loop.index() + 2);
        this.connected = new RecentSums(startNanos);
    }

    public void published(ClientId publisher, TopicName topic, int payloadBytes) {
        in.add(publisher, topic, payloadBytes);
    }

    public void delivered(ClientId subscriber, TopicName topic, int payloadBytes) {
        out.add(subscriber, topic, payloadBytes);
    }

    public void connected(ClientId clientId) {
        int stands = connects.next();
        if (stands > 0) {
            connected.add(Traffic.counted(clientId.value()), stands, loop.nanoTime());
        }
    }

    /** Returns what was counted. Any thread; completes on the event loop. */
    CompletionStage<Map<Ranking, Rates>> rates() {
        CompletableFuture<Map<Ranking, Rates>> result = new CompletableFuture<>();
        loop.execute(() -> result.complete(read()));
        return result;
    }

    private Map<Ranking, Rates> read() {
        long nanos = loop.nanoTime();
        Map<Ranking, Rates> rates = new EnumMap<>(Ranking.class);
        rates.put(Ranking.CLIENT_MESSAGES_IN, in.clientMessages.perSecond(nanos));
        rates.put(Ranking.CLIENT_BYTES_IN, in.clientBytes.perSecond(nanos));
        rates.put(Ranking.CLIENT_MESSAGES_OUT, out.clientMessages.perSecond(nanos));
        rates.put(Ranking.CLIENT_BYTES_OUT, out.clientBytes.perSecond(nanos));
        rates.put(Ranking.CLIENT_CONNECTS, connected.perSecond(nanos));
        rates.put(Ranking.TOPIC_MESSAGES_IN, in.topicMessages.perSecond(nanos));
        rates.put(Ranking.TOPIC_BYTES_IN, in.topicBytes.perSecond(nanos));
        rates.put(Ranking.TOPIC_MESSAGES_OUT, out.topicMessages.perSecond(nanos));
        rates.put(Ranking.TOPIC_BYTES_OUT, out.topicBytes.perSecond(nanos));
        return rates;
    }
}
