package io.heddle.app.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;

/** Rules about dependencies between modules and about the packages that may use a technology. */
final class WallRules {
    static final String HEDDLE = "io.heddle..";
    private static final String CORE = "io.heddle.core..";
    private static final String TRANSPORT = "io.heddle.transport..";
    private static final String PERSISTENCE = "io.heddle.persistence..";
    private static final String API = "io.heddle.api..";
    private static final String APP = "io.heddle.app..";
    private static final String STANDALONE = "io.heddle.standalone..";
    private static final String POLL_LOOP = "io.heddle.persistence.kafka.read.PollLoop";

    static final ArchRule CORE_IS_PLAIN_JAVA = classes()
            .that()
            .resideInAPackage(CORE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(CORE, "java..", "org.slf4j..", "io.micrometer.core..", "org.jspecify..")
            .because(
                    "core decides and must be testable in milliseconds: declare a port here and implement it in the module"
                            + " that owns the technology")
            .allowEmptyShould(true);

    static final ArchRule EVERY_CLASS_STANDS_IN_A_MODULE = classes()
            .that()
            .resideInAPackage(HEDDLE)
            .should()
            .resideInAnyPackage(CORE, TRANSPORT, PERSISTENCE, API, APP, STANDALONE)
            .because("the walls below are drawn between these six; a seventh would stand outside all of them")
            .allowEmptyShould(true);

    static final ArchRule TRANSPORT_KNOWS_ONLY_CORE = wall(
            TRANSPORT, "transport drives core; what it needs of persistence or api, core declares as a port", CORE);

    static final ArchRule PERSISTENCE_KNOWS_ONLY_CORE = wall(
            PERSISTENCE,
            "persistence implements core's ports and must be replaceable without touching transport or api",
            CORE);

    static final ArchRule API_KNOWS_ONLY_CORE = wall(
            API,
            "api administers through core; a second way to the stores would have its own rules and its own bugs",
            CORE);

    static final ArchRule STANDALONE_KNOWS_NO_MODULE = wall(
            STANDALONE,
            "standalone runs real servers for anybody, tests of every module included: an arrow back is a cycle");

    static final ArchRule SPRING_ONLY_IN_API_AND_APP = onlyIn(
            "Spring wires (app) and serves REST (api); elsewhere objects are made by constructors, so that a test can make them"
                    + " too",
            resideInAPackage("org.springframework.."),
            API,
            APP);

    static final ArchRule KAFKA_ONLY_IN_ITS_ROOM = onlyIn(
            "one room knows Kafka's client, the child main knows its server; behind core's ports it is replaceable",
            resideInAPackage("org.apache.kafka.."),
            "io.heddle.persistence.kafka..",
            "io.heddle.standalone.kafka..");

    static final ArchRule LETTUCE_ONLY_IN_ITS_ROOM = onlyIn(
            "every key, hash tag and script is in one room, else nobody can say what Redis holds",
            resideInAPackage("io.lettuce.."),
            "io.heddle.persistence.redis..");

    static final ArchRule JDBC_ONLY_IN_ITS_ROOM = onlyIn(
            "JDBC blocks and its transactions end where they began: one room, on virtual threads",
            resideInAnyPackage(
                    "java.sql..", "javax.sql..", "com.zaxxer.hikari..", "org.flywaydb..", "org.postgresql.."),
            "io.heddle.persistence.postgres..");

    static final ArchRule NETTY_ONLY_IN_TRANSPORT = onlyIn(
            "buffers with reference counts stay where they are counted; core sees bytes. Lettuce brings its own event loops,"
                    + " so the Redis room may name them",
            resideInAPackage("io.netty.."),
            TRANSPORT,
            "io.heddle.persistence.redis..");

    static final ArchRule ONLY_THE_POLL_LOOP_POLLS = noClasses()
            .that()
            .resideInAPackage(HEDDLE)
            .and(are(not(thePollLoop())))
            .should()
            .accessTargetWhere(Calls.to("org.apache.kafka.clients.consumer.Consumer", "poll"))
            .because(
                    "a consumer belongs to one thread: whoever polls elsewhere breaks its batch, its pauses and its offsets."
                            + " Give PollLoop a handler instead")
            .allowEmptyShould(true);

    private WallRules() {}

    private static ArchRule wall(String module, String reason, String... neighbours) {
        DescribedPredicate<JavaClass> behind = resideInAPackage(HEDDLE)
                .and(not(resideInAPackage(module)))
                .and(not(resideInAnyPackage(neighbours)))
                .as("belong to another module than " + (neighbours.length == 0 ? "itself" : "core"));
        return noClasses()
                .that()
                .resideInAPackage(module)
                .should()
                .dependOnClassesThat(behind)
                .because(reason)
                .allowEmptyShould(true);
    }

    private static ArchRule onlyIn(String reason, DescribedPredicate<JavaClass> technology, String... rooms) {
        return noClasses()
                .that()
                .resideInAPackage(HEDDLE)
                .and()
                .resideOutsideOfPackages(rooms)
                .should()
                .dependOnClassesThat(technology)
                .because(reason)
                .allowEmptyShould(true);
    }

    private static DescribedPredicate<JavaClass> thePollLoop() {
        return DescribedPredicate.describe(
                "PollLoop",
                type -> type.getName().equals(POLL_LOOP) || type.getName().startsWith(POLL_LOOP + "$"));
    }
}
