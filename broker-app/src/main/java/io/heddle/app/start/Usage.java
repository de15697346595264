package io.heddle.app.start;

/** The text of {@code --help}. */
public final class Usage {
    public static final String TEXT = """
            Heddle, an MQTT broker.

            Usage: ./heddle [options] [--heddle.any.setting=value ...]
                   ./heddle credentials add|list|remove|import [options]
                   ./heddle admin clients|explain|recipients|trace|traces|top|topics|slow-clients|filters|shared-groups [options]
                   ./heddle admin subscribers|refusals|retained|publish|applications|queues|buckets|stores|credentials|blocked [options]
                   ./heddle admin rules|administrators|account|api-keys|lockouts|audit|settings|alerts|ledger|node|nodes|drain [options]
                   ./heddle admin rebalance|await-steady|reload-certificates|reset-password [options]
                   ./heddle rules from-mosquitto ACL_FILE
                   ./heddle tls self-signed [options]
                   ./heddle backup|restore FILE [options]

            Starts a broker together with its own Kafka, Redis and PostgreSQL; with HEDDLE_STANDALONE=off in the
            environment, without them.

              --mqtt-port PORT   port for MQTT, 0 picks a free one, "off" opens none (default 1883)
              --ws-port PORT     port for MQTT over WebSocket at the path /mqtt (default 8083; a free one with --mqtt-port 0)
              --mqtts-port PORT  port for MQTT over TLS (default off)
              --wss-port PORT    port for MQTT over WebSocket over TLS (default off)
              --http-port PORT   port for REST, health and metrics, 0 picks a free one (default 8080)
              --nodes N          starts N nodes (2 to 8) as processes of their own, on these and the following ports
              --data-dir DIR     directory for all data (default ~/.heddle)
              --bind ADDRESS     address of all listeners (default 127.0.0.1); an address other than loopback disables
                                 anonymous access
              -h, --help         print this text; see also ./heddle credentials --help and ./heddle admin --help
              --version          print the version

            Every setting of docs/settings.md can be given as --key=value or in the environment
            (heddle.mqtt.port is HEDDLE_MQTT_PORT). Stop with Ctrl-C.""";

    private Usage() {}
}
