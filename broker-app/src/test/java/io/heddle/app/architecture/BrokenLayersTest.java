package io.heddle.app.architecture;

import static io.heddle.app.architecture.Breach.assertBroken;
import static io.heddle.app.architecture.Breach.assertKept;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

    /** A rule about dependencies, a package, the packages that it must not use, and those that it may use. */
    static Stream<Arguments> dependencies() {
        ArchRule transport = ModuleLayers.TRANSPORT_KNOWS_ONLY_CORE;
        ArchRule persistence = ModuleLayers.PERSISTENCE_KNOWS_ONLY_CORE;
        ArchRule api = ModuleLayers.API_KNOWS_ONLY_CORE;
        ArchRule standalone = ModuleLayers.STANDALONE_KNOWS_NO_MODULE;
        ArchRule layers = CoreLayers.CORE_IS_LAYERED;
        return Stream.of(
                arguments(ModuleLayers.CORE_IS_PLAIN_JAVA, "core.session", "transport.codec", "core.mqtt"),
                arguments(
                        transport,
                        "transport.connection",
                        "persistence.kafka api.session standalone app",
                        "core.session"),
                arguments(
                        persistence, "persistence.redis", "transport.codec api.session standalone app", "core.session"),
                arguments(api, "api.session", "transport.codec persistence.redis standalone app", "core.session"),
                arguments(
                        standalone,
                        "standalone",
                        "core.mqtt transport.codec persistence.redis api.session app",
                        "standalone.kafka"),
                arguments(layers, "core.routing", "core.delivery", "core.mqtt"),
                arguments(layers, "core.delivery.device", "core.session", "core.routing"),
                arguments(layers, "core.mqtt.packet", "core.client", "core"),
                arguments(layers, "core.mqtt", "core.client", "core.mqtt.packet core"),
                arguments(layers, "core", "core.mqtt", ""),
                arguments(layers, "core.session.outbound", "core.session.persistent", "core.mqtt"),
                arguments(layers, "core.session.inbound", "core.session", "core.mqtt"),
                arguments(layers, "core.session", "core.lifecycle", "core.session.inbound"));
    }

    @ParameterizedTest
    @MethodSource("dependencies")
    void aPackageUsesOnlyThoseThatItMayUse(ArchRule rule, String from, String forbidden, String allowed)
            throws Exception {
        for (String other : forbidden.split(" ", -1)) {
            assertBroken(rule, "io.heddle." + from + ".Wrong", arrow(from, other));
        }
        for (String other : allowed.isEmpty() ? new String[0] : allowed.split(" ", -1)) {
            assertKept(rule, arrow(from, other));
        }
    }

    /** A rule about a library, a type of it and its source, the packages that must not use it, and those that may. */
    static Stream<Arguments> libraries() {
        String kafka = "org.apache.kafka.clients.consumer.Consumer";
        String lettuce = "io.lettuce.core.RedisClient";
        String jdbc = "com.zaxxer.hikari.HikariDataSource";
        String netty = "io.netty.channel.Channel";
        return Stream.of(
                arguments(ModuleLayers.CORE_IS_PLAIN_JAVA, netty, CHANNEL, "core.session", "transport.codec"),
                arguments(
                        ModuleLayers.KAFKA_ONLY_IN_ITS_PACKAGE,
                        kafka,
                        CONSUMER,
                        "persistence.redis",
                        "persistence.kafka.record standalone.kafka"),
                arguments(ModuleLayers.LETTUCE_ONLY_IN_ITS_PACKAGE, lettuce, REDIS_CLIENT, "app", "persistence.redis"),
                arguments(
                        ModuleLayers.JDBC_ONLY_IN_ITS_PACKAGE,
                        jdbc,
                        DATA_SOURCE,
                        "api.session",
                        "persistence.postgres"),
                arguments(
                        ModuleLayers.NETTY_ONLY_IN_TRANSPORT,
                        netty,
                        CHANNEL,
                        "persistence.kafka",
                        "transport.pipeline persistence.redis"));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void aLibraryStaysInItsPackages(ArchRule rule, String type, String source, String forbidden, String allowed)
            throws Exception {
        assertBroken(rule, "io.heddle." + forbidden + ".Wrong", naming(forbidden, type, source));
        for (String name : allowed.split(" ", -1)) {
            assertKept(rule, naming(name, type, source));
        }
    }

    @Test
    void jdbcOfTheJdkStaysInItsPackageToo() throws Exception {
        assertBroken(
                ModuleLayers.JDBC_ONLY_IN_ITS_PACKAGE,
                "io.heddle.persistence.kafka.Wrong",
                naming("persistence.kafka", "java.sql.Connection"));
    }

    @Test
    void aSeventhModuleIsFound() throws Exception {
        assertBroken(
                ModuleLayers.EVERY_CLASS_IS_IN_A_MODULE,
                "io.heddle.bridge.Wrong",
                Fixture.compile(classes, "package io.heddle.bridge; class Wrong {}"));
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
