package io.heddle.app.architecture;

import static io.heddle.app.architecture.Breach.assertBroken;
import static io.heddle.app.architecture.Breach.assertKept;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules about modules and about the order of packages fail on violations and name the culprit. */
class BrokenWallsTest {
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
    void coreMayNotUseALibraryOfItsOwn() throws Exception {
        assertBroken(
                WallRules.CORE_IS_PLAIN_JAVA,
                "io.heddle.core.session.Wrong",
                Fixture.compile(
                        classes,
                        CHANNEL,
                        "package io.heddle.core.session; class Wrong { io.netty.channel.Channel channel; }"));
    }

    @Test
    void coreMayNotUseAnotherModule() throws Exception {
        assertBroken(
                WallRules.CORE_IS_PLAIN_JAVA,
                "io.heddle.core.session.Wrong",
                Fixture.compile(
                        classes,
                        "package io.heddle.transport.codec; public class Decoder {}",
                        "package io.heddle.core.session; class Wrong { Object o = new io.heddle.transport.codec.Decoder(); }"));
    }

    @Test
    void aSeventhModuleHasNoWalls() throws Exception {
        assertBroken(
                WallRules.EVERY_CLASS_IS_IN_A_MODULE,
                "io.heddle.bridge.Wrong",
                Fixture.compile(classes, "package io.heddle.bridge; class Wrong {}"));
    }

    @Test
    void transportMayNotSeePersistenceApiStandaloneOrApp() throws Exception {
        for (String other : new String[] {"persistence.kafka", "api.session", "standalone", "app"}) {
            assertBroken(
                    WallRules.TRANSPORT_KNOWS_ONLY_CORE,
                    "io.heddle.transport.connection.Wrong",
                    arrow("transport.connection", other));
        }
        assertKept(WallRules.TRANSPORT_KNOWS_ONLY_CORE, arrow("transport.connection", "core.session"));
    }

    @Test
    void persistenceMayNotSeeTransportApiStandaloneOrApp() throws Exception {
        for (String other : new String[] {"transport.codec", "api.session", "standalone", "app"}) {
            assertBroken(
                    WallRules.PERSISTENCE_KNOWS_ONLY_CORE,
                    "io.heddle.persistence.redis.Wrong",
                    arrow("persistence.redis", other));
        }
        assertKept(WallRules.PERSISTENCE_KNOWS_ONLY_CORE, arrow("persistence.redis", "core.session"));
    }

    @Test
    void apiMayNotSeeTransportPersistenceStandaloneOrApp() throws Exception {
        for (String other : new String[] {"transport.codec", "persistence.redis", "standalone", "app"}) {
            assertBroken(WallRules.API_KNOWS_ONLY_CORE, "io.heddle.api.session.Wrong", arrow("api.session", other));
        }
        assertKept(WallRules.API_KNOWS_ONLY_CORE, arrow("api.session", "core.session"));
    }

    @Test
    void standaloneMayNotSeeAnyModule() throws Exception {
        for (String other : new String[] {"core.mqtt", "transport.codec", "persistence.redis", "api.session", "app"}) {
            assertBroken(
                    WallRules.STANDALONE_KNOWS_NO_MODULE, "io.heddle.standalone.Wrong", arrow("standalone", other));
        }
        assertKept(WallRules.STANDALONE_KNOWS_NO_MODULE, arrow("standalone", "standalone.kafka"));
    }

    @Test
    void springStaysInApiAndApp() throws Exception {
        for (String packageName :
                new String[] {"core.session", "transport.listener", "persistence.redis", "standalone"}) {
            assertBroken(
                    WallRules.SPRING_ONLY_IN_API_AND_APP, "io.heddle." + packageName + ".Wrong", springIn(packageName));
        }
        assertKept(WallRules.SPRING_ONLY_IN_API_AND_APP, springIn("app"));
        assertKept(WallRules.SPRING_ONLY_IN_API_AND_APP, springIn("api.config"));
    }

    @Test
    void pollingIsThePollLoopsAlone() throws Exception {
        assertBroken(
                WallRules.ONLY_THE_POLL_LOOP_POLLS,
                "io.heddle.persistence.kafka.read.PollLoopDrain",
                Fixture.compile(classes, CONSUMER, KAFKA_CONSUMER, polling("PollLoopDrain", "consumer.poll(1)")));
        assertBroken(
                WallRules.ONLY_THE_POLL_LOOP_POLLS,
                "io.heddle.persistence.kafka.read.Wrong",
                Fixture.compile(
                        classes,
                        CONSUMER,
                        KAFKA_CONSUMER,
                        polling("Wrong", "java.util.function.LongFunction<Object> f = consumer::poll")));
        assertKept(
                WallRules.ONLY_THE_POLL_LOOP_POLLS,
                Fixture.compile(classes, CONSUMER, KAFKA_CONSUMER, polling("PollLoop", "consumer.poll(1)")));
    }

    private static String polling(String type, String statement) {
        return """
                package io.heddle.persistence.kafka.read;
                class %s { void run(org.apache.kafka.clients.consumer.KafkaConsumer consumer) { %s; } }
                """.formatted(type, statement);
    }

    @Test
    void kafkaStaysInItsRooms() throws Exception {
        String type = "org.apache.kafka.clients.consumer.Consumer";
        assertBroken(
                WallRules.KAFKA_ONLY_IN_ITS_PACKAGE,
                "io.heddle.persistence.redis.Wrong",
                naming("persistence.redis", type, CONSUMER));
        assertKept(WallRules.KAFKA_ONLY_IN_ITS_PACKAGE, naming("persistence.kafka.record", type, CONSUMER));
        assertKept(WallRules.KAFKA_ONLY_IN_ITS_PACKAGE, naming("standalone.kafka", type, CONSUMER));
    }

    @Test
    void lettuceStaysInItsRoom() throws Exception {
        String type = "io.lettuce.core.RedisClient";
        assertBroken(WallRules.LETTUCE_ONLY_IN_ITS_PACKAGE, "io.heddle.app.Wrong", naming("app", type, REDIS_CLIENT));
        assertKept(WallRules.LETTUCE_ONLY_IN_ITS_PACKAGE, naming("persistence.redis", type, REDIS_CLIENT));
    }

    @Test
    void jdbcStaysInItsRoom() throws Exception {
        String type = "com.zaxxer.hikari.HikariDataSource";
        assertBroken(
                WallRules.JDBC_ONLY_IN_ITS_PACKAGE,
                "io.heddle.api.session.Wrong",
                naming("api.session", type, DATA_SOURCE));
        assertBroken(
                WallRules.JDBC_ONLY_IN_ITS_PACKAGE,
                "io.heddle.persistence.kafka.Wrong",
                naming("persistence.kafka", "java.sql.Connection"));
        assertKept(WallRules.JDBC_ONLY_IN_ITS_PACKAGE, naming("persistence.postgres", type, DATA_SOURCE));
    }

    @Test
    void nettyStaysInTransport() throws Exception {
        String type = "io.netty.channel.Channel";
        assertBroken(
                WallRules.NETTY_ONLY_IN_TRANSPORT,
                "io.heddle.persistence.kafka.Wrong",
                naming("persistence.kafka", type, CHANNEL));
        assertKept(WallRules.NETTY_ONLY_IN_TRANSPORT, naming("transport.pipeline", type, CHANNEL));
        assertKept(WallRules.NETTY_ONLY_IN_TRANSPORT, naming("persistence.redis", type, CHANNEL));
    }

    @Test
    void nobodyClimbsTheStaircaseFromBelow() throws Exception {
        assertBroken(Staircase.CORE_IS_LAYERED, "io.heddle.core.routing.Wrong", arrow("core.routing", "core.delivery"));
        assertBroken(
                Staircase.CORE_IS_LAYERED,
                "io.heddle.core.mqtt.packet.Wrong",
                arrow("core.mqtt.packet", "core.client"));
        assertKept(Staircase.CORE_IS_LAYERED, arrow("core.delivery.device", "core.routing"));
        assertKept(Staircase.CORE_IS_LAYERED, arrow("core.mqtt", "core.mqtt.packet"));
        assertKept(Staircase.CORE_IS_LAYERED, arrow("core.mqtt", "core"));
    }

    @Test
    void aPackageWithAStepOfItsOwnMayNotUseTheStepsAboveIt() throws Exception {
        assertBroken(
                Staircase.CORE_IS_LAYERED,
                "io.heddle.core.session.outbound.Wrong",
                arrow("core.session.outbound", "core.session.persistent"));
        assertBroken(
                Staircase.CORE_IS_LAYERED,
                "io.heddle.core.session.inbound.Wrong",
                arrow("core.session.inbound", "core.session"));
        assertKept(Staircase.CORE_IS_LAYERED, arrow("core.session", "core.session.inbound"));
    }

    @Test
    void aPackageBesideStepsOfTheirOwnNeedsOneToo() throws Exception {
        assertBroken(
                Staircase.CORE_IS_LAYERED,
                "io.heddle.core.session.corner.Wrong is in io.heddle.core.session.corner, which is not in the order",
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
    private JavaClasses ring(String packageName, int size) throws Exception {
        return Fixture.compile(classes, ringSources(packageName, size));
    }

    private static String[] ringSources(String packageName, int size) {
        String[] sources = new String[size];
        for (int i = 0; i < size; i++) {
            String next = " { C" + (i + 1) % size + " next; }";
            sources[i] = "package io.heddle." + packageName + "; public class C" + i
                    + (i == size - 1 ? " { static class Nested" + next + " }" : next);
        }
        return sources;
    }

    @Test
    void theRootOfCoreUsesNoneOfItsPackages() throws Exception {
        assertBroken(Staircase.CORE_IS_LAYERED, "io.heddle.core.Wrong", arrow("core", "core.mqtt"));
    }

    @Test
    void aRoomWithoutAPlaceOnTheStaircaseIsFound() throws Exception {
        assertBroken(
                Staircase.CORE_IS_LAYERED,
                "io.heddle.core.bridge.Wrong is in io.heddle.core.bridge, which is not in the order of layers",
                Fixture.compile(classes, "package io.heddle.core.bridge; class Wrong {}"));
    }

    @Test
    void packagesThatUseEachOtherAreFound() throws Exception {
        assertBroken(
                Staircase.PACKAGES_ARE_FREE_OF_CYCLES,
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

    private JavaClasses springIn(String packageName) throws Exception {
        return Fixture.compile(
                classes,
                BEAN,
                "package io.heddle." + packageName
                        + "; class Wrong { @org.springframework.context.annotation.Bean Object o() { return 1; } }");
    }

    /** Returns the source of a class Wrong that returns another type. */
    private JavaClasses naming(String packageName, String type, String... libraries) throws Exception {
        String[] sources = Arrays.copyOf(libraries, libraries.length + 1);
        sources[libraries.length] = "package io.heddle." + packageName + "; interface Wrong { " + type + " o(); }";
        return Fixture.compile(classes, sources);
    }
}
