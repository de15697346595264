package io.heddle.perf.jmh;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.subscription.Subscription;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * The topics, subscriptions and sessions of the benchmarks: sites have lines, lines have devices, and devices publish their temperature.
 */
final class SampleData {
    /** Enough for each topic and filter of the benchmarks. */
    static final int MAXIMUM_LEVELS = 64;

    static final int SITES = 100;
    static final int LINES = 10;

    private SampleData() {}

    static String topic(int site, int line, int device) {
        return "plant/" + site + "/" + line + "/" + device + "/temperature";
    }

    static TopicName parse(String topic) {
        return TopicName.parse(topic, MAXIMUM_LEVELS);
    }

    static Subscription subscription(String filter) {
        return new Subscription(
                TopicFilter.parse(filter, MAXIMUM_LEVELS),
                QoS.AT_MOST_ONCE,
                false,
                false,
                SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER);
    }

    static CountingSession session(int number, EventLoop eventLoop) {
        return new CountingSession(new ClientId("client-" + number), eventLoop);
    }

    /** Topics of random devices, the same in every run. */
    static String[] topics(int count, int devicesPerLine) {
        RandomGenerator random = new Random(20_261_101);
        String[] topics = new String[count];
        for (int i = 0; i < count; i++) {
            topics[i] = topic(random.nextInt(SITES), random.nextInt(LINES), random.nextInt(devicesPerLine));
        }
        return topics;
    }
}
