package io.heddle.persistence.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ApplicationTopicNameTest {
    private static String name(String clientId) {
        return ApplicationTopicName.of(new ClientId(clientId));
    }

    @Test
    void lettersDigitsAndHyphensStandForThemselves() {
        assertThat(name("Billing-2")).isEqualTo("heddle.app.Billing-2");
    }

    @Test
    void everyOtherByteIsWrittenWithTwoHexDigits() {
        assertThat(name("a/b")).isEqualTo("heddle.app.a_2fb");
        assertThat(name("a_2fb")).isEqualTo("heddle.app.a_5f2fb");
        assertThat(name("a.b")).isEqualTo("heddle.app.a_2eb");
        assertThat(name("ü")).isEqualTo("heddle.app._c3_bc");
    }

    @Test
    void aLongNameEndsWithAHash() {
        assertThat(name("x".repeat(238))).isEqualTo("heddle.app." + "x".repeat(238));
        String longer = name("x".repeat(239));
        assertThat(longer).hasSize(249).startsWith("heddle.app.xxx").matches(".*x__[0-9a-f]{64}");
        assertThat(name("x".repeat(240))).hasSize(249).isNotEqualTo(longer);
        assertThat(name("/".repeat(65_535))).hasSize(249);
    }

    @Test
    void aNameTellsItsClientUnlessItIsCut() {
        for (String client : List.of("Billing-2", "a/b", "a_2fb", "a.b", "ü", "x".repeat(238))) {
            assertThat(ApplicationTopicName.clientId(name(client))).isEqualTo(new ClientId(client));
        }
        for (String other :
                List.of(name("x".repeat(239)), "heddle.app.", "heddle.app.a.b", "heddle.app.a_2", "heddle.app._41")) {
            assertThat(ApplicationTopicName.clientId(other)).isNull();
        }
    }

    @Test
    void differentClientsHaveDifferentValidTopicNames() {
        long seed = Long.getLong("heddle.test.seed", System.nanoTime());
        Random random = new Random(seed);
        String characters = "ab_.-/2f5e é漢";
        Set<String> clients = new HashSet<>();
        Set<String> names = new HashSet<>();
        // Kafka treats a period like an underscore when it compares names.
        Set<String> metricNames = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            StringBuilder client = new StringBuilder();
            int length = 1 + random.nextInt(i % 10 == 0 ? 300 : 4);
            for (int j = 0; j < length; j++) {
                client.append(characters.charAt(random.nextInt(characters.length())));
            }
            clients.add(client.toString());
        }
        for (String client : clients) {
            String name = name(client);
            assertThat(name).as("seed %d", seed).matches("[a-zA-Z0-9._-]{1,249}");
            names.add(name);
            metricNames.add(name.replace('.', '_'));
        }
        assertThat(names).as("seed %d", seed).hasSameSizeAs(clients);
        assertThat(metricNames).as("seed %d", seed).hasSameSizeAs(clients);
    }
}
