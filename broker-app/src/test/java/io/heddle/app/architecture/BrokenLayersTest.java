package io.heddle.app.architecture;

import static io.heddle.app.architecture.Breach.assertBroken;
import static io.heddle.app.architecture.Breach.assertKept;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules about modules and layers fail on violations and name the culprit. */
class BrokenLayersTest {
    private static final String CHANNEL = "package io.netty.channel; public interface Channel {}";
    private static final String CONSUMER =
            "package org.apache.kafka.clients.consumer; public interface Consumer { Object poll(long millis); }";
    private static final String KAFKA_CONSUMER =
            "package org.apache.kafka.clients.consumer; public interface KafkaConsumer extends Consumer {}";
    private static final String REDIS_CLIENT = "package io.lettuce.core; public class RedisClient {}";
    private static final String DATA_SOURCE = "package com.zaxxer.hikari; public class HikariDataSource {}";
    private static final String BEAN = "package org.springframework.context.annotation; public @interface Bean {}";

    @TempDir
    Path classes;

    @Test
    void coreMayNotUseNetty() throws Exception {
        assertBroken(
                ModuleLayers.CORE_IS_PLAIN_JAVA,
                "io.heddle.core.session.Wrong",
                Fixture.compile(
                        classes,
                        CHANNEL,
                        "package io.heddle.core.session; class Wrong { io.netty.channel.Channel channel; }"));
    }

    @Test
    void coreMayNotUseAnotherModule() throws Exception {
        assertBroken(
                ModuleLayers.CORE_IS_PLAIN_JAVA,
                "io.heddle.core.session.Wrong",
                Fixture.compile(
                        classes,
                        "package io.heddle.transport.codec; public class Decoder {}",
                        "package io.heddle.core.session; class Wrong { Object o = new io.heddle.transport.codec.Decoder(); }"));
    }

    @Test
    void aSeventhModuleIsFound() throws Exception {
        assertBroken(
                ModuleLayers.EVERY_CLASS_IS_IN_A_MODULE,
                "io.heddle.bridge.Wrong",
                Fixture.compile(classes, "package io.heddle.bridge; class Wrong {}"));
    }

    @Test
    void transportMayNotSeePersistenceApiStandaloneOrApp() throws Exception {
        for (String other : new String[] {"persistence.kafka", "api.session", "standalone", "app"}) {
            assertBroken(
                    ModuleLayers.TRANSPORT_KNOWS_ONLY_CORE,
                    "io.heddle.transport.connection.Wrong",
                    arrow("transport.connection", other));
        }
        assertKept(ModuleLayers.TRANSPORT_KNOWS_ONLY_CORE, arrow("transport.connection", "core.session"));
    }

    @Test
    void persistenceMayNotSeeTransportApiStandaloneOrApp() throws Exception {
        for (String other : new String[] {"transport.codec", "api.session", "standalone", "app"}) {
            assertBroken(
                    ModuleLayers.PERSISTENCE_KNOWS_ONLY_CORE,
                    "io.heddle.persistence.redis.Wrong",
                    arrow("persistence.redis", other));
        }
        assertKept(ModuleLayers.PERSISTENCE_KNOWS_ONLY_CORE, arrow("persistence.redis", "core.session"));
    }

    @Test
    void apiMayNotSeeTransportPersistenceStandaloneOrApp() throws Exception {
        for (String other : new String[] {"transport.codec", "persistence.redis", "standalone", "app"}) {
            assertBroken(ModuleLayers.API_KNOWS_ONLY_CORE, "io.heddle.api.session.Wrong", arrow("api.session", other));
        }
        assertKept(ModuleLayers.API_KNOWS_ONLY_CORE, arrow("api.session", "core.session"));
    }

    @Test
    void standaloneMayNotSeeAnyModule() throws Exception {
        for (String other : new String[] {"core.mqtt", "transport.codec", "persistence.redis", "api.session", "app"}) {
            assertBroken(
                    ModuleLayers.STANDALONE_KNOWS_NO_MODULE, "io.heddle.standalone.Wrong", arrow("standalone", other));
        }
        assertKept(ModuleLayers.STANDALONE_KNOWS_NO_MODULE, arrow("standalone", "standalone.kafka"));
    }

    @Test
    void springStaysInApiAndApp() throws Exception {
        for (String name : new String[] {"core.session", "transport.listener", "persistence.redis", "standalone"}) {
            assertBroken(ModuleLayers.SPRING_ONLY_IN_API_AND_APP, "io.heddle." + name + ".Wrong", springIn(name));
        }
        assertKept(ModuleLayers.SPRING_ONLY_IN_API_AND_APP, springIn("app"));
        assertKept(ModuleLayers.SPRING_ONLY_IN_API_AND_APP, springIn("api.config"));
    }

    @Test
    void onlyThePollLoopPolls() throws Exception {
        assertBroken(
                ModuleLayers.ONLY_THE_POLL_LOOP_POLLS,
                "io.heddle.persistence.kafka.read.PollLoopDrain",
                Fixture.compile(classes, CONSUMER, KAFKA_CONSUMER, polling("PollLoopDrain", "consumer.poll(1)")));
        assertBroken(
                ModuleLayers.ONLY_THE_POLL_LOOP_POLLS,
                "io.heddle.persistence.kafka.read.Wrong",
                Fixture.compile(
                        classes,
                        CONSUMER,
                        KAFKA_CONSUMER,
                        polling("Wrong", "java.util.function.LongFunction<Object> f = consumer::poll")));
        assertKept(
                ModuleLayers.ONLY_THE_POLL_LOOP_POLLS,
                Fixture.compile(classes, CONSUMER, KAFKA_CONSUMER, polling("PollLoop", "consumer.poll(1)")));
    }

    private static String polling(String type, String statement) {
        return """
                package io.heddle.persistence.kafka.read;
                class %s { void run(org.apache.kafka.clients.consumer.KafkaConsumer consumer) { %s; } }
                """.formatted(type, statement);
    }

    @Test
    void kafkaStaysInItsPackages() throws Exception {
        String type = "org.apache.kafka.clients.consumer.Consumer";
        assertBroken(
                ModuleLayers.KAFKA_ONLY_IN_ITS_PACKAGE,
                "io.heddle.persistence.redis.Wrong",
                naming("persistence.redis", type, CONSUMER));
        assertKept(ModuleLayers.KAFKA_ONLY_IN_ITS_PACKAGE, naming("persistence.kafka.record", type, CONSUMER));
        assertKept(ModuleLayers.KAFKA_ONLY_IN_ITS_PACKAGE, naming("standalone.kafka", type, CONSUMER));
    }

    @Test
    void lettuceStaysInItsPackage() throws Exception {
        String type = "io.lettuce.core.RedisClient";
        assertBroken(
                ModuleLayers.LETTUCE_ONLY_IN_ITS_PACKAGE, "io.heddle.app.Wrong", naming("app", type, REDIS_CLIENT));
        assertKept(ModuleLayers.LETTUCE_ONLY_IN_ITS_PACKAGE, naming("persistence.redis", type, REDIS_CLIENT));
    }

    @Test
    void jdbcStaysInItsPackage() throws Exception {
        String type = "com.zaxxer.hikari.HikariDataSource";
        assertBroken(
                ModuleLayers.JDBC_ONLY_IN_ITS_PACKAGE,
                "io.heddle.api.session.Wrong",
                naming("api.session", type, DATA_SOURCE));
        assertBroken(
                ModuleLayers.JDBC_ONLY_IN_ITS_PACKAGE,
                "io.heddle.persistence.kafka.Wrong",
                naming("persistence.kafka", "java.sql.Connection"));
        assertKept(ModuleLayers.JDBC_ONLY_IN_ITS_PACKAGE, naming("persistence.postgres", type, DATA_SOURCE));
    }

    @Test
    void nettyStaysInTransport() throws Exception {
        String type = "io.netty.channel.Channel";
        assertBroken(
                ModuleLayers.NETTY_ONLY_IN_TRANSPORT,
                "io.heddle.persistence.kafka.Wrong",
                naming("persistence.kafka", type, CHANNEL));
        assertKept(ModuleLayers.NETTY_ONLY_IN_TRANSPORT, naming("transport.pipeline", type, CHANNEL));
        assertKept(ModuleLayers.NETTY_ONLY_IN_TRANSPORT, naming("persistence.redis", type, CHANNEL));
    }

    @Test
    void anUpwardDependencyIsFound() throws Exception {
        assertBroken(
                CoreLayers.CORE_IS_LAYERED, "io.heddle.core.routing.Wrong", arrow("core.routing", "core.delivery"));
        assertBroken(
                CoreLayers.CORE_IS_LAYERED,
                "io.heddle.core.mqtt.packet.Wrong",
                arrow("core.mqtt.packet", "core.client"));
        assertKept(CoreLayers.CORE_IS_LAYERED, arrow("core.delivery.device", "core.routing"));
        assertKept(CoreLayers.CORE_IS_LAYERED, arrow("core.mqtt", "core.mqtt.packet"));
        assertKept(CoreLayers.CORE_IS_LAYERED, arrow("core.mqtt", "core"));
    }

    @Test
    void aPackageWithALayerOfItsOwnMayNotUseHigherLayers() throws Exception {
        assertBroken(
                CoreLayers.CORE_IS_LAYERED,
                "io.heddle.core.session.outbound.Wrong",
                arrow("core.session.outbound", "core.session.persistent"));
        assertBroken(
                CoreLayers.CORE_IS_LAYERED,
                "io.heddle.core.session.inbound.Wrong",
                arrow("core.session.inbound", "core.session"));
        assertKept(CoreLayers.CORE_IS_LAYERED, arrow("core.session", "core.session.inbound"));
    }

    @Test
    void aSiblingOfPackagesWithLayersNeedsALayerToo() throws Exception {
        assertBroken(
                CoreLayers.CORE_IS_LAYERED,
                "io.heddle.core.session.corner.Wrong is in io.heddle.core.session.corner, which belongs to no layer",
                Fixture.compile(classes, "package io.heddle.core.session.corner; class Wrong {}"));
    }

    @Test
    void aCycleOfSixClassesIsFoundWithItsClasses() throws Exception {
        assertBroken(
                ClassCycles.CLASS_CYCLES_ARE_SMALL,
                "a cycle of 6 classes: io.heddle.core.routing.C0, io.heddle.core.routing.C1, io.heddle.core.routing.C2,"
                        + " io.heddle.core.routing.C3, io.heddle.core.routing.C4, io.heddle.core.routing.C5",
                ring("core.routing", 6));
    }

    @Test
    void aCycleOfFiveClassesPasses() throws Exception {
        assertKept(ClassCycles.CLASS_CYCLES_ARE_SMALL, ring("core.routing", 5));
    }

    @Test
    void aLargeCycleIsAllowedByNameOnlyInItsOwnPackage() throws Exception {
        String[] ring = ringSources("standalone", 6);
        ring[0] = ring[0].replace("C0", "PostgresProcess");
        ring[5] = ring[5].replace("C0", "PostgresProcess");
        assertKept(ClassCycles.CLASS_CYCLES_ARE_SMALL, Fixture.compile(classes, ring));
        assertBroken(
                ClassCycles.CLASS_CYCLES_ARE_SMALL,
                "a cycle of 7 classes: ",
                Fixture.compile(
                        classes,
                        ring[0],
                        ring[2],
                        ring[3],
                        ring[4],
                        ring[5],
                        "package io.heddle.standalone.other; public class Wrong { public io.heddle.standalone.PostgresProcess next; }",
                        "package io.heddle.standalone; public class C1 { C2 next; io.heddle.standalone.other.Wrong wrong; }"));
    }

    /** Classes C0, C1 and so on, of which each uses the next and the last one, in a nested class, the first. */
    private JavaClasses ring(String name, int size) throws Exception {
        return Fixture.compile(classes, ringSources(name, size));
    }

    private static String[] ringSources(String name, int size) {
        String[] sources = new String[size];
        for (int i = 0; i < size; i++) {
            String next = " { C" + (i + 1) % size + " next; }";
            sources[i] = "package io.heddle." + name + "; public class C" + i
                    + (i == size - 1 ? " { static class Nested" + next + " }" : next);
        }
        return sources;
    }

    @Test
    void theRootOfCoreUsesNoneOfItsPackages() throws Exception {
        assertBroken(CoreLayers.CORE_IS_LAYERED, "io.heddle.core.Wrong", arrow("core", "core.mqtt"));
    }

    @Test
    void aPackageOutsideTheLayersIsFound() throws Exception {
        assertBroken(
                CoreLayers.CORE_IS_LAYERED,
                "io.heddle.core.bridge.Wrong is in io.heddle.core.bridge, which belongs to no layer",
                Fixture.compile(classes, "package io.heddle.core.bridge; class Wrong {}"));
    }

    @Test
    void aCycleOfPackagesIsFound() throws Exception {
        assertBroken(
                CoreLayers.PACKAGES_ARE_FREE_OF_CYCLES,
                "io.heddle.transport.codec.Wrong",
                Fixture.compile(
                        classes,
                        "package io.heddle.transport.codec; public class Wrong { io.heddle.transport.pipeline.Other o; }",
                        "package io.heddle.transport.pipeline; public class Other { io.heddle.transport.codec.Wrong w; }"));
    }

    /** Returns the source of a class Wrong that creates a class of another package. */
    private JavaClasses arrow(String from, String to) throws Exception {
        return Fixture.compile(
                classes,
                "package io.heddle." + to + "; public class Target {}",
                "package io.heddle." + from + "; class Wrong { Object o = new io.heddle." + to + ".Target(); }");
    }

    private JavaClasses springIn(String name) throws Exception {
        return Fixture.compile(
                classes,
                BEAN,
                "package io.heddle." + name
                        + "; class Wrong { @org.springframework.context.annotation.Bean Object o() { return 1; } }");
    }

    /** Returns the source of a class Wrong that returns another type. */
    private JavaClasses naming(String name, String type, String... libraries) throws Exception {
        String[] sources = Arrays.copyOf(libraries, libraries.length + 1);
        sources[libraries.length] = "package io.heddle." + name + "; interface Wrong { " + type + " o(); }";
        return Fixture.compile(classes, sources);
    }
}
