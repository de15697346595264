package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndpointsTest {
    private static final Endpoints ENDPOINTS = new Endpoints(
            "127.0.0.1:1",
            "third-secret",
            "redis://:first-secret@127.0.0.1:2,redis://:first-secret@127.0.0.1:3",
            "jdbc:postgresql://127.0.0.1:4/heddle",
            "heddle",
            "second-secret");

    @Test
    void toStringShowsAddressesButNoPassword() {
        assertThat(ENDPOINTS.toString())
                .contains("127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3", "127.0.0.1:4", "heddle")
                .doesNotContain("secret");
    }

    @Test
    void kafkaClientsAuthenticateWithItsPassword() {
        assertThat(ENDPOINTS.kafkaSecurity())
                .containsEntry("security.protocol", "SASL_PLAINTEXT")
                .containsEntry("sasl.mechanism", "PLAIN");
        assertThat(ENDPOINTS.kafkaSecurity().get("sasl.jaas.config"))
                .contains("username=\"heddle\"", "password=\"third-secret\"");
        assertThat(new Endpoints("kafka:1", "", "", "", "", "").kafkaSecurity()).isEmpty();
    }

    @Test
    void eachRedisNodeHasItsUrl() {
        assertThat(ENDPOINTS.redisUrls())
                .containsExactly("redis://:first-secret@127.0.0.1:2", "redis://:first-secret@127.0.0.1:3");
    }
}
