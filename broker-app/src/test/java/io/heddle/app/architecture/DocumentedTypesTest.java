package io.heddle.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Documents mention only classes that exist. */
class DocumentedTypesTest {
    /** Names of the JDK, of libraries and of products. Keep it small: documents are about our own classes. */
    private static final Set<String> FOREIGN = Set.of(
            "AmbientCapabilities",
            "ArchUnit",
            "ByteBuf",
            "CapabilityBoundingSet",
            "CompletableFuture",
            "ConcurrentHashMap",
            "HeapDumpPath",
            "HikariCP",
            "KafkaConsumer",
            "KafkaProducer",
            "KillMode",
            "LimitNOFILE",
            "NullAway",
            "NullMarked",
            "PostgreSQL",
            "ProtectHome",
            "StartLimitIntervalSec",
            "SuppressWarnings",
            "ThreadCPULoad",
            "TieredStopAtLevel",
            "TimeoutStopSec");

    @Test
    void documentedTypesExist() {
        Set<String> known = DocumentedTypes.declared(Project.here());
        Set<String> unknown = new TreeSet<>();
        for (Path document : Project.here().documents()) {
            for (String name : DocumentedTypes.mentioned(Project.read(document))) {
                if (!known.contains(name) && !FOREIGN.contains(name)) {
                    unknown.add(Project.here().root().relativize(document) + " names `" + name + "`");
                }
            }
        }

        assertThat(unknown)
                .as("type names in documents that no source declares: correct the document, or add a library's name to"
                        + " DocumentedTypesTest.FOREIGN")
                .isEmpty();
    }

    @Test
    void typeNamesAreFoundInEveryNotation() {
        String markdown = """
                The `SubscriptionTrie` (see `core.routing.Router`, `RoutingPlan.clear()`, `HotPath`) and `Map<ClientId, NodeId>`.
                Not code: WeavingLoom. One word is MQTT's, not ours: `Session`, `Will Message`, `CONNECT`, `QoS 1`.
                Patterns: `*Test`, `*ContractTest`, `<Port>Contract`, `InMemory*`, `MqttServer.java`, `docs/ReadMe.md`,
                `heddle.mqtt.port`, `KAFKA_HOME`, `@NullMarked`, `-Dheddle.child=kafka`, `-XX:+UseSerialGC`.

                ```
                `TranscriptOnly`
                ```
                """;

        assertThat(DocumentedTypes.mentioned(markdown))
                .containsExactlyInAnyOrder(
                        "SubscriptionTrie",
                        "Router",
                        "RoutingPlan",
                        "HotPath",
                        "ClientId",
                        "NodeId",
                        "QoS",
                        "MqttServer",
                        "NullMarked");
    }

    @Test
    void aDocumentedTypeThatDoesNotExistIsFound() {
        Set<String> gone = DocumentedTypes.mentioned("`SubscriptionTrie` replaced the `SubscriptionWeb`.");
        gone.removeAll(DocumentedTypes.declared(Project.here()));

        assertThat(gone).containsExactly("SubscriptionWeb");
    }
}
