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
final class ModuleLayers {
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
            .resideInAnyPackage(
                    CORE,
                    "java..",
                    // X500Principal, which is in java.base, too.
                    "javax.security.auth.x500",
                    "org.slf4j..",
                    "io.micrometer.core..",
                    "org.jspecify..")
            .because(
                    "core decides and must be testable in milliseconds: declare a port here and implement it in the module"
                            + " that owns the technology")
            .allowEmptyShould(true);

    static final ArchRule EVERY_CLASS_IS_IN_A_MODULE = classes()
            .that()
            .resideInAPackage(HEDDLE)
            .should()
            .resideInAnyPackage(CORE, TRANSPORT, PERSISTENCE, API, APP, STANDALONE)
            .because("the rules below separate these six modules; they would not cover a seventh")
            .allowEmptyShould(true);

    static final ArchRule TRANSPORT_KNOWS_ONLY_CORE = onlyUses(
            TRANSPORT, "transport drives core; for what it needs of persistence or api, core declares a port", CORE);

    static final ArchRule PERSISTENCE_KNOWS_ONLY_CORE = onlyUses(
            PERSISTENCE,
            "persistence implements core's ports and must be replaceable without touching transport or api",
            CORE);

    static final ArchRule API_KNOWS_ONLY_CORE = onlyUses(
            API,
            "api administers through core; a second path to the stores would have its own rules and its own bugs",
            CORE);

    static final ArchRule STANDALONE_KNOWS_NO_MODULE = onlyUses(
            STANDALONE,
            "standalone runs real servers, also for the tests of every module; a dependency on a module would be a cycle");

    static final ArchRule SPRING_ONLY_IN_API_AND_APP = onlyIn(
            "Spring wires (app) and serves REST (api); elsewhere constructors create objects, so that a test can"
                    + " create them too",
            resideInAPackage("org.springframework.."),
            API,
            APP);

    static final ArchRule KAFKA_ONLY_IN_ITS_PACKAGE = onlyIn(
            "only these packages use Kafka's client or, in its child process, its server; behind core's ports Kafka is replaceable",
            resideInAPackage("org.apache.kafka.."),
            "io.heddle.persistence.kafka..",
            "io.heddle.standalone.kafka..");

    static final ArchRule LETTUCE_ONLY_IN_ITS_PACKAGE = onlyIn(
            "all keys, hash tags and scripts are in one package, which shows what Redis stores",
            resideInAPackage("io.lettuce.."),
            "io.heddle.persistence.redis..");

    static final ArchRule JDBC_ONLY_IN_ITS_PACKAGE = onlyIn(
            "JDBC blocks and its transactions end where they began: one package, on virtual threads",
            resideInAnyPackage(
                    "java.sql..", "javax.sql..", "com.zaxxer.hikari..", "org.flywaydb..", "org.postgresql.."),
            "io.heddle.persistence.postgres..");

    static final ArchRule NETTY_ONLY_IN_TRANSPORT = onlyIn(
            "buffers with reference counts stay where they are counted; core sees bytes. Lettuce brings its own event loops,"
                    + " so the Redis package may use them",
            resideInAPackage("io.netty.."),
            TRANSPORT,
            "io.heddle.persistence.redis..");

    static final ArchRule ONLY_THE_POLL_LOOP_POLLS = noClasses()
            .that()
            .resideInAPackage(HEDDLE)
            .and(are(not(thePollLoop())))
            .should()
            .accessTargetWhere(Calls.to("org.apache.kafka.clients.consumer.Consumer", "poll"))
            .because("a consumer belongs to one thread: a poll elsewhere breaks its batch, its pauses and its offsets."
                    + " Give PollLoop a handler instead")
            .allowEmptyShould(true);

    private ModuleLayers() {}

    private static ArchRule onlyUses(String module, String reason, String... allowed) {
        DescribedPredicate<JavaClass> others = resideInAPackage(HEDDLE)
                .and(not(resideInAPackage(module)))
                .and(not(resideInAnyPackage(allowed)))
                .as("belong to another module than " + (allowed.length == 0 ? "itself" : "core"));
        return noClasses()
                .that()
                .resideInAPackage(module)
                .should()
                .dependOnClassesThat(others)
                .because(reason)
                .allowEmptyShould(true);
    }

    private static ArchRule onlyIn(String reason, DescribedPredicate<JavaClass> technology, String... packages) {
        return noClasses()
                .that()
                .resideInAPackage(HEDDLE)
                .and()
                .resideOutsideOfPackages(packages)
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
