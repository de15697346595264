package io.heddle.perf.jmh;

import io.heddle.core.mqtt.TopicName;

/** What very many clients subscribe to, one subscription each; public because the measuring code that JMH generates names it. */
public enum Million {
    /** A filter of its own for each, all behind one prefix; a topic matches one. */
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
    /** Ten filters, a tenth of the clients each; a topic matches one filter. */
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
    /** Of ten clients six have an exact filter, and each of the others another wildcard; a topic matches four. */
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

    /** What a client subscribes to. */
    abstract String filter(int client);

    /** One of the topics that are published to, for any number that is not negative. */
    abstract String topic(int number, int clients);

    /** How many subscriptions match each of the topics. */
    abstract int matches(int clients);

    TopicName parsedTopic(int number, int clients) {
        return Plant.parse(topic(number, clients));
    }
}
