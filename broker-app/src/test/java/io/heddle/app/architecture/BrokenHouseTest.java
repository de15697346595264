package io.heddle.app.architecture;

import static io.heddle.app.architecture.Breach.assertBroken;
import static io.heddle.app.architecture.Breach.assertKept;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules about names, habits, threads, packages and ports fail on violations and name the culprit. */
class BrokenHouseTest {
    private static final String PORT =
            "package io.heddle.core.cluster; @io.heddle.core.Port public interface Ledger {}";
    private static final String CONTRACT = "package io.heddle.core.testkit; public abstract class LedgerContract {}";
    private static final String FAKE_TEST =
            "package io.heddle.core.testkit; class InMemoryLedgerTest extends LedgerContract {}";
    private static final String ADAPTER =
            "package io.heddle.persistence.redis; class RedisLedger implements io.heddle.core.cluster.Ledger {}";
    private static final String ADAPTER_TEST =
            "package io.heddle.persistence.redis; class RedisLedgerIT extends io.heddle.core.testkit.LedgerContract {}";

    @TempDir
    Path classes;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SessionImpl",
                "TopicUtil",
                "TopicUtils",
                "UtilityBelt",
                "TopicHelper",
                "SessionManager",
                "ISession",
                "Outer$Inner$ISession"
            })
    void aMeaninglessClassNameIsFound(String name) throws Exception {
        String declarations =
                "class " + name.replace("$", " { static class ") + " {" + "}".repeat(name.split("\\$", -1).length);
        assertBroken(
                NameRules.NAMES_SAY_WHAT_A_CLASS_OWNS,
                "io.heddle.core.session." + name,
                Fixture.compile(classes, "package io.heddle.core.session; " + declarations));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Implicit", "Inflight", "Utf8", "RedisLedger", "I", "Management"})
    void aClassNameThatResemblesAMeaninglessOnePasses(String name) throws Exception {
        assertKept(
                NameRules.NAMES_SAY_WHAT_A_CLASS_OWNS,
                Fixture.compile(classes, "package io.heddle.core.session; class " + name + " {}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"core.util", "api.session.dto", "transport.common", "core.service.session"})
    void aPackageNamedAfterAKindOfClassIsFound(String name) throws Exception {
        assertBroken(
                NameRules.PACKAGES_ARE_CAPABILITIES,
                "io.heddle." + name + ".Wrong",
                Fixture.compile(classes, "package io.heddle." + name + "; class Wrong {}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.springframework.beans.factory.annotation.Autowired",
                "org.springframework.beans.factory.annotation.Value",
                "jakarta.inject.Inject",
                "jakarta.annotation.Resource"
            })
    void fieldInjectionIsFound(String annotation) throws Exception {
        int dot = annotation.lastIndexOf('.');
        assertBroken(
                HabitRules.NO_FIELD_INJECTION,
                "io.heddle.app.Wrong.clock",
                Fixture.compile(
                        classes,
                        "package " + annotation.substring(0, dot) + "; public @interface "
                                + annotation.substring(dot + 1) + " {}",
                        "package io.heddle.app; class Wrong { @" + annotation + " java.time.Clock clock; }"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Thread.sleep(1)", "java.util.concurrent.TimeUnit.SECONDS.sleep(1)"})
    void sleepingIsFound(String statement) throws Exception {
        assertBrokenBy(HabitRules.NO_SLEEP, "standalone", statement);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "long now = System.currentTimeMillis()",
                "java.util.function.LongSupplier now = System::currentTimeMillis"
            })
    void readingTheWallClockIsFound(String statement) throws Exception {
        assertBrokenBy(HabitRules.NO_WALL_CLOCK, "persistence.redis", statement);
        assertKept(
                HabitRules.NO_WALL_CLOCK,
                running("persistence.redis", "long now = java.time.Clock.systemUTC().millis()"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "new Thread(() -> {}).start()",
                "java.util.concurrent.ThreadFactory f = Thread::new",
                "new Thread() { }.start()"
            })
    void aCallOfAThreadConstructorIsFound(String statement) throws Exception {
        assertBrokenBy(HabitRules.NO_BARE_THREADS, "persistence.kafka", statement);
        assertKept(
                HabitRules.NO_BARE_THREADS,
                running("persistence.kafka", "Thread.ofVirtual().name(\"poll\").start(() -> {})"));
    }

    @Test
    void aSubclassOfThreadIsFoundExceptInEventLoops() throws Exception {
        String kind = "package io.netty.util.concurrent; public class FastThreadLocalThread extends Thread {}";
        String making = "package io.heddle.transport.listener; class %s { Thread t = new"
                + " io.netty.util.concurrent.FastThreadLocalThread(); }";
        assertBroken(
                HabitRules.NO_BARE_THREADS,
                "io.heddle.transport.listener.Wrong",
                Fixture.compile(classes, kind, making.formatted("Wrong")));
        assertKept(HabitRules.NO_BARE_THREADS, Fixture.compile(classes, kind, making.formatted("EventLoops")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.util.concurrent.CompletableFuture.runAsync(() -> {})",
                "java.util.concurrent.CompletableFuture.supplyAsync(() -> 1)",
                "new java.util.concurrent.CompletableFuture<Integer>().thenApplyAsync(i -> i)",
                "java.util.concurrent.CompletionStage<Integer> s = null; s.whenCompleteAsync((i, e) -> {})"
            })
    void anAsynchronousStepWithoutAnExecutorIsFound(String statement) throws Exception {
        assertBrokenBy(HabitRules.ASYNCHRONOUS_STEPS_NAME_THEIR_EXECUTOR, "persistence.kafka", statement);
        assertKept(
                HabitRules.ASYNCHRONOUS_STEPS_NAME_THEIR_EXECUTOR,
                running(
                        "persistence.kafka",
                        "java.util.concurrent.CompletableFuture.runAsync(() -> {}, Runnable::run)"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.util.List.of(1).stream().toList()",
                "java.util.Optional.of(1).get()",
                "java.util.OptionalInt.of(1)",
                "String.format(\"%d\", 1)",
                "\"%d\".formatted(1)",
                "\"a/b\".split(\"/\")",
                "java.util.regex.Pattern.compile(\"a\")"
            })
    void convenienceOnTheHotPathIsFoundAlsoInNestedClasses(String statement) throws Exception {
        String nested = "package io.heddle.core.routing; %s class Wrong { static class Inner { void run() { %s; } } }";
        assertBroken(
                HabitRules.HOT_PATH_ALLOCATES_NO_CONVENIENCE,
                "io.heddle.core.routing.Wrong$Inner",
                Fixture.compile(classes, nested.formatted("@io.heddle.core.HotPath", statement)));
        assertKept(
                HabitRules.HOT_PATH_ALLOCATES_NO_CONVENIENCE,
                Fixture.compile(classes, nested.formatted("", statement)));
    }

    @Test
    void aPackageThatIsNotNullMarkedIsFound() throws Exception {
        String type = "package io.heddle.core.quota; class RateLimit {}";
        assertBroken(
                PackageRules.PACKAGES_ARE_NULL_MARKED,
                "io.heddle.core.quota has no package-info.java with @NullMarked",
                Fixture.compile(classes, type));
        assertBroken(
                PackageRules.PACKAGES_ARE_NULL_MARKED,
                "io.heddle.core.quota has no package-info.java with @NullMarked",
                Fixture.compile(classes, type, "@Deprecated package io.heddle.core.quota;"));
        assertKept(
                PackageRules.PACKAGES_ARE_NULL_MARKED,
                Fixture.compile(classes, type, "@org.jspecify.annotations.NullMarked package io.heddle.core.quota;"));
    }

    @Test
    void aSessionPackageWithTooManyClassesIsFound() throws Exception {
        assertBroken(
                PackageRules.SESSION_PACKAGES_ARE_SMALL,
                "io.heddle.core.session.crowd has 26 classes, more than 25",
                Fixture.compile(classes, crowd(26)));
        assertKept(PackageRules.SESSION_PACKAGES_ARE_SMALL, Fixture.compile(classes, crowd(25)));
    }

    private static String[] crowd(int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> "package io.heddle.core.session.crowd; class C" + i + " { class Nested {} }")
                .toArray(String[]::new);
    }

    @Test
    void aPortWithoutAContractIsFound() throws Exception {
        assertPortBroken("the port io.heddle.core.cluster.Ledger has no abstract test class", PORT);
        assertPortBroken(
                "the port io.heddle.core.cluster.Ledger has no abstract test class",
                PORT,
                CONTRACT.replace("abstract", ""));
    }

    @Test
    void aContractWithoutATestOfTheFakeIsFound() throws Exception {
        assertPortBroken("no *Test of core, where the fake of io.heddle.core.cluster.Ledger is", PORT, CONTRACT);
    }

    @Test
    void anAdapterWhoseTestDoesNotExtendTheContractIsFound() throws Exception {
        assertPortBroken(
                "io.heddle.persistence.redis.RedisLedger is an adapter of io.heddle.core.cluster.Ledger, but no *Test or *IT"
                        + " in io.heddle.persistence extends io.heddle.core.testkit.LedgerContract",
                PORT,
                CONTRACT,
                FAKE_TEST,
                ADAPTER);
        JavaClasses complete = Fixture.compile(classes, PORT, CONTRACT, FAKE_TEST, ADAPTER, ADAPTER_TEST);
        assertKept(PortRules.portsHaveContracts(complete), complete);
    }

    @Test
    void anImplementationInTheAppIsNoAdapter() throws Exception {
        JavaClasses house =
                Fixture.compile(classes, PORT, CONTRACT, FAKE_TEST, ADAPTER.replace("persistence.redis", "app"));
        assertKept(PortRules.portsHaveContracts(house), house);
    }

    private void assertPortBroken(String message, String... sources) throws Exception {
        JavaClasses house = Fixture.compile(classes, sources);
        assertBroken(PortRules.portsHaveContracts(house), message, house);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Thread.sleep(1)",
                "Thread.currentThread().join()",
                "this.wait()",
                "new java.util.concurrent.CompletableFuture<Integer>().get()",
                "new java.util.concurrent.CompletableFuture<Integer>().join()",
                "((java.util.concurrent.Future<?>) null).get(1, java.util.concurrent.TimeUnit.SECONDS)",
                "new java.util.concurrent.CountDownLatch(1).await()",
                "new java.util.concurrent.Semaphore(1).acquire()",
                "new java.util.concurrent.ArrayBlockingQueue<Integer>(1).put(1)",
                "new java.util.concurrent.LinkedBlockingQueue<Integer>().take()",
                "new java.util.concurrent.LinkedBlockingDeque<Integer>().poll(1, java.util.concurrent.TimeUnit.SECONDS)",
                "java.util.concurrent.locks.LockSupport.park()",
                "java.nio.file.Files.readString(java.nio.file.Path.of(\"a\"))",
                "new java.io.FileInputStream(\"a\")",
                "((java.sql.Connection) null).commit()",
                "((io.heddle.core.authentication.CredentialsStore) null).count()"
            })
    void blockingAnEventLoopIsFound(String statement) throws Exception {
        for (String name : new String[] {"transport.connection", "core.session", "core.delivery.device"}) {
            assertBrokenBy(EventLoopRules.EVENT_LOOPS_DO_NOT_BLOCK, name, statement);
        }
        assertKept(EventLoopRules.EVENT_LOOPS_DO_NOT_BLOCK, running("persistence.kafka", statement));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    new java.util.concurrent.LinkedBlockingQueue<Integer>().poll()
                    new java.util.concurrent.ArrayBlockingQueue<Integer>(1).offer(1)
                    new java.util.concurrent.CompletableFuture<Integer>().thenAccept(i -> {})
                    java.util.concurrent.ThreadLocalRandom.current().nextInt()
                    """)
    void nonBlockingCallsOnAnEventLoopPass(String statement) throws Exception {
        assertKept(EventLoopRules.EVENT_LOOPS_DO_NOT_BLOCK, running("core.session", statement));
    }

    @Test
    void waitingForNettyIsFoundExceptInMqttServer() throws Exception {
        String future = "package io.netty.util.concurrent; public interface Future<V> { Future<V> sync(); }";
        String waiting =
                "package io.heddle.transport.listener; class %s { void run(io.netty.util.concurrent.Future<?> f) {"
                        + " f.sync(); } }";
        assertBroken(
                EventLoopRules.EVENT_LOOPS_DO_NOT_BLOCK,
                "io.heddle.transport.listener.Wrong",
                Fixture.compile(classes, future, waiting.formatted("Wrong")));
        assertKept(
                EventLoopRules.EVENT_LOOPS_DO_NOT_BLOCK,
                Fixture.compile(classes, future, waiting.formatted("MqttServer")));
    }

    @Test
    void indirectBlockingOfAnEventLoopIsFoundWithItsCallChain() throws Exception {
        String port = "package io.heddle.core.delivery; public interface Log { void append(); }";
        String caller =
                "package io.heddle.core.session; class Wrong { void run(io.heddle.core.delivery.Log log) { log.append(); } }";
        String adapter = "package io.heddle.persistence.kafka; class KafkaLog implements io.heddle.core.delivery.Log {"
                + " public void append() { %s; } void write() { new java.util.concurrent.Semaphore(1)"
                + ".acquireUninterruptibly(); } }";
        String executor = "((java.util.concurrent.Executor) null)";

        for (String direct : new String[] {
            "write()",
            "this.write()",
            "java.util.List.of(1).forEach(_ -> write())",
            "new Runnable() {" + " public void run() { write(); } }.run()"
        }) {
            assertBroken(
                    EventLoopRules.EVENT_LOOPS_REACH_NOTHING_THAT_BLOCKS,
                    "io.heddle.core.session.Wrong.run(io.heddle.core.delivery.Log) calls"
                            + " io.heddle.persistence.kafka.KafkaLog.append() calls",
                    Fixture.compile(classes, port, caller, adapter.formatted(direct)));
        }
        for (String handedOver :
                new String[] {executor + ".execute(() -> write())", executor + ".execute(this::write)"}) {
            assertKept(
                    EventLoopRules.EVENT_LOOPS_REACH_NOTHING_THAT_BLOCKS,
                    Fixture.compile(classes, port, caller, adapter.formatted(handedOver)));
        }
    }

    @Test
    void anEventLoopMayNotCallMethodsThatBlockAtStart() throws Exception {
        String replay =
                "package io.heddle.core.delivery.application; public class ApplicationSessions { public void restore() throws Exception { Thread.sleep(1); } }";
        String caller =
                "package io.heddle.core.session; class Wrong { void close() throws Exception { new io.heddle.core.delivery.application.ApplicationSessions().restore(); } }";

        assertKept(EventLoopRules.EVENT_LOOPS_REACH_NOTHING_THAT_BLOCKS, Fixture.compile(classes, replay));
        assertBroken(
                EventLoopRules.EVENT_LOOPS_REACH_NOTHING_THAT_BLOCKS,
                "io.heddle.core.session.Wrong.close() calls io.heddle.core.delivery.application.ApplicationSessions.restore()",
                Fixture.compile(classes, replay, caller));
    }

    private void assertBrokenBy(ArchRule rule, String name, String statement) throws Exception {
        assertBroken(rule, "io.heddle." + name + ".Wrong", running(name, statement));
    }

    /** Returns the source of a class Wrong with this statement. */
    private JavaClasses running(String name, String statement) throws Exception {
        return Fixture.compile(
                classes,
                "package io.heddle." + name + "; class Wrong { void run() throws Exception { " + statement + "; } }");
    }
}
