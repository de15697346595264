package io.heddle.app.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Rule that classes of an event loop neither block nor reach a blocking call, through ports into the adapters, except in tasks for
 * another thread.
 */
final class EventLoopRules {
    private static final String[] ON_EVENT_LOOPS = {
        "io.heddle.transport..",
        "io.heddle.core.mqtt..",
        "io.heddle.core.client..",
        "io.heddle.core.message..",
        "io.heddle.core.link..",
        "io.heddle.core.quota..",
        "io.heddle.core.subscription..",
        "io.heddle.core.retained..",
        "io.heddle.core.routing..",
        "io.heddle.core.delivery..",
        "io.heddle.core.publish..",
        "io.heddle.core.session.."
    };

    /** Classes of those packages that run on other threads, with the reason. Nested classes are not exempt. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            "io.heddle.transport.listener.MqttServer",
            "start and stop block the thread that starts and stops the broker, while there are no connections",
            "io.heddle.transport.listener.EventLoops",
            "closing waits, on the thread that stops the broker, for the loops to end",
            "io.heddle.transport.link.LinkServer",
            "start and stop block the thread that starts and stops the broker",
            "io.heddle.core.session.CredentialsWatch",
            "it waits for the store on a housekeeping thread of its own");

    /** Packages below those that run on other threads, with the reason. */
    private static final Map<String, String> PACKAGES_ELSEWHERE = Map.of(
            "io.heddle.transport.certificate",
            "files with certificates are read on the thread that starts the broker, on one that watches them, and on those of REST");

    /** Methods of such classes that run before there are connections or after them, with the reason. */
    private static final Map<String, String> AT_START = Map.of(
            "io.heddle.core.delivery.application.ApplicationSessions.restore",
            "the topics of the sessions are restored on the thread that starts the broker",
            "io.heddle.transport.link.Links.start",
            "the thread that starts the broker waits until the port is bound",
            "io.heddle.transport.link.Links.stop",
            "the thread that stops the broker waits until the connections are closed");

    private static final Set<String> BLOCKING_TYPES = Set.of(
            "java.nio.file.Files",
            "java.nio.channels.FileChannel",
            "java.io.FileInputStream",
            "java.io.FileOutputStream",
            "java.io.FileReader",
            "java.io.FileWriter",
            "java.io.RandomAccessFile",
            "java.net.Socket",
            "java.net.ServerSocket",
            "java.net.URLConnection",
            "io.heddle.core.administration.AdminSessions",
            "io.heddle.core.administration.AdminUsers",
            "io.heddle.core.administration.ApiKeys",
            "io.heddle.core.authentication.CredentialsStore",
            "io.heddle.core.authentication.PasswordHash");

    private static final List<DescribedPredicate<JavaAccess<?>>> BLOCKING_CALLS = List.of(
            Calls.to("java.lang.Thread", "sleep", "join"),
            Calls.to("java.lang.Object", "wait"),
            Calls.to("java.lang.Process", "waitFor"),
            Calls.to("java.util.concurrent.TimeUnit", "sleep"),
            Calls.to("java.util.concurrent.Future", "get", "join"),
            Calls.to("java.util.concurrent.CountDownLatch", "await"),
            Calls.to("java.util.concurrent.CyclicBarrier", "await"),
            Calls.to("java.util.concurrent.Phaser", "awaitAdvance", "arriveAndAwaitAdvance"),
            Calls.to("java.util.concurrent.Exchanger", "exchange"),
            Calls.to(
                    "java.util.concurrent.locks.Condition",
                    "await",
                    "awaitNanos",
                    "awaitUntil",
                    "awaitUninterruptibly"),
            Calls.to("java.util.concurrent.locks.LockSupport", "park", "parkNanos", "parkUntil"),
            Calls.to("java.util.concurrent.Semaphore", "acquire", "acquireUninterruptibly"),
            Calls.to("java.util.concurrent.ExecutorService", "invokeAll", "invokeAny", "awaitTermination", "close"),
            Calls.to("java.util.concurrent.BlockingQueue", "put", "take"),
            Calls.to("java.util.concurrent.BlockingDeque", "putFirst", "putLast", "takeFirst", "takeLast"),
            timed(Calls.to("java.util.concurrent.BlockingQueue", "offer", "poll")),
            Calls.to("java.util.concurrent.TransferQueue", "transfer"),
            Calls.to("java.net.http.HttpClient", "send"),
            Calls.to(
                    "org.apache.kafka.clients.producer.Producer",
                    "flush",
                    "close",
                    "partitionsFor",
                    "initTransactions",
                    "sendOffsetsToTransaction",
                    "commitTransaction",
                    "abortTransaction"),
            Calls.to(
                    "org.apache.kafka.clients.consumer.Consumer",
                    "poll",
                    "position",
                    "committed",
                    "commitSync",
                    "beginningOffsets",
                    "endOffsets",
                    "offsetsForTimes",
                    "partitionsFor",
                    "listTopics",
                    "close"),
            Calls.to("org.apache.kafka.clients.admin.Admin", "close"),
            Calls.to("io.lettuce.core.RedisFuture", "await"),
            Calls.to("io.lettuce.core.LettuceFutures", "awaitAll", "awaitOrCancel"),
            Calls.to("io.lettuce.core.api.StatefulRedisConnection", "sync"),
            Calls.to("io.lettuce.core.cluster.api.StatefulRedisClusterConnection", "sync"),
            Calls.to("io.lettuce.core.RedisClient", "connect", "shutdown"),
            Calls.to("io.lettuce.core.cluster.RedisClusterClient", "connect", "shutdown"),
            Calls.to(
                    "io.netty.util.concurrent.Future", "sync", "syncUninterruptibly", "await", "awaitUninterruptibly"));

    static final ArchRule EVENT_LOOPS_DO_NOT_BLOCK = noClasses()
            .that(resideInAnyPackage(ON_EVENT_LOOPS)
                    .and(describe("run on event loops", EventLoopRules::startsOnEventLoops)))
            .should()
            .accessTargetWhere(describe(
                    "a blocking method is called",
                    access -> BLOCKING_CALLS.stream().anyMatch(call -> call.test(access))))
            .orShould()
            .dependOnClassesThat(describe("block", EventLoopRules::blocks))
            .because(
                    "an event loop serves thousands of connections and serves none of them while it waits. Hand the work to an"
                            + " executor and return with eventLoop.execute. List a class that never runs on a loop, with the reason,"
                            + " in EventLoopRules.ELSEWHERE")
            .allowEmptyShould(true);

    static final ArchRule EVENT_LOOPS_REACH_NOTHING_THAT_BLOCKS = classes()
            .that(describe("run on event loops", EventLoopRules::startsOnEventLoops))
            .should(new EventLoopReach(
                    EventLoopRules::startsOnEventLoops, AT_START, BLOCKING_CALLS, EventLoopRules::blocks))
            .because(
                    "a blocking method in any module blocks the event loop that calls it: hand the work to an executor. List a method"
                            + " that is called only before there are connections, with the reason, in EventLoopRules.AT_START")
            .allowEmptyShould(true);

    private EventLoopRules() {}

    private static boolean startsOnEventLoops(JavaClass type) {
        return resideInAnyPackage(ON_EVENT_LOOPS).test(type)
                && !ELSEWHERE.containsKey(type.getName())
                && !PACKAGES_ELSEWHERE.containsKey(type.getPackageName());
    }

    private static boolean blocks(JavaClass type) {
        return BLOCKING_TYPES.contains(type.getName())
                || type.getPackageName().startsWith("java.sql")
                || type.getPackageName().startsWith("javax.sql");
    }

    private static DescribedPredicate<JavaAccess<?>> timed(DescribedPredicate<JavaAccess<?>> call) {
        return call.and(Calls.withParameters(
                "with a timeout",
                parameters -> parameters.stream().anyMatch(type -> type.isEquivalentTo(TimeUnit.class))));
    }
}
