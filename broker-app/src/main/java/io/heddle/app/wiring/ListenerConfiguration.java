package io.heddle.app.wiring;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.MqttSettings;
import io.heddle.app.tls.HttpCertificate;
import io.heddle.app.tls.NodeCertificates;
import io.heddle.core.client.ClientIncidents;
import io.heddle.transport.tls.TlsProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ListenerConfiguration {
    @Bean
    HttpCertificate httpCertificate(HeddleSettings settings) {
        return new HttpCertificate(settings.http().toTlsSettings());
    }

    @Bean
    NodeCertificates nodeCertificates(HeddleSettings settings, HttpCertificate http, MeterRegistry metrics) {
        MqttSettings mqtt = settings.mqtt();
        // Before the phases of the start, which may use TLS for the stores.
        TlsProvider.limitTicketKeys(mqtt.tls().sessionTimeout());
        return new NodeCertificates(mqtt.tls(), mqtt::toTlsSettings, http, Clock.systemUTC(), metrics);
    }

    @Bean
    MqttListeners mqttListeners(
            HeddleSettings settings,
            NodeCertificates certificates,
            EventLoopThreads eventLoops,
            CoreStartup startup,
            ClientIncidents incidents,
            MeterRegistry metrics) {
        return new MqttListeners(
                settings.mqtt(),
                listener -> certificates.tls(listener)::addTo,
                eventLoops,
                startup,
                incidents,
                metrics);
    }
}
