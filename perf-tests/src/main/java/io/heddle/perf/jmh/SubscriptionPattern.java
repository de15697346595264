package io.heddle.perf.jmh;

import io.heddle.core.mqtt.TopicName;

/** The filters of many clients with one subscription each. Public, because generated code of JMH refers to it. */
public enum SubscriptionPattern {
    /** Each client has its own filter, all with the same prefix; a topic matches one. */
    DISTINCT {
        @Override
        String filter(int client) {
            return PREFIX + client + "/+";
        }

        @Override
        String topic(int number, int clients) {
            return PREFIX + number % clients + "/temperature";
        }

        @Override
        int matches(int clients) {
            return 1;
        }
    },
    /** Ten filters, each of a tenth of the clients; a topic matches one filter. */
    FEW_FILTERS {
        @Override
        String filter(int client) {
            return "europe/ua/" + client % FILTERS + "/#";
        }

        @Override
        String topic(int number, int clients) {
            return "europe/ua/" + number % FILTERS + "/5/temperature";
        }

        @Override
        int matches(int clients) {
            return clients / FILTERS;
        }
    },
    /** Six of ten clients have an exact filter, each of the others a different wildcard; a topic matches four. */
    MIXED {
        @Override
        String filter(int client) {
            return switch (client % TEN) {
                case 6 -> PREFIX + (client - 1) + "/+";
                case 7 -> "europe/ua/+/" + (client - 2) + "/#";
                case 8 -> "+/ua/kyiv/" + (client - 3) + "/temperature";
                case 9 -> PREFIX + (client - 9) + "/#";
                default -> PREFIX + client + "/temperature";
            };
        }

        @Override
        String topic(int number, int clients) {
            return PREFIX + (number % (clients / TEN) * TEN + 5) + "/temperature";
        }

        @Override
        int matches(int clients) {
            return 4;
        }
    };

    private static final String PREFIX = "europe/ua/kyiv/";
    private static final int FILTERS = 10;
    private static final int TEN = 10;

    /** The filter of a client. */
    abstract String filter(int client);

    /** A published topic, for any non-negative number. */
    abstract String topic(int number, int clients);

    /** The number of subscriptions that match each topic. */
    abstract int matches(int clients);

    TopicName parsedTopic(int number, int clients) {
        return SampleData.parse(topic(number, clients));
    }
}
