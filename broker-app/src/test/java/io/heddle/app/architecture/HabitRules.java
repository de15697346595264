package io.heddle.app.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import io.heddle.core.HotPath;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Calls that no class may make, apart from exceptions with a reason, and calls that no class of the hot path may make.
 */
final class HabitRules {
    /** Classes that may call a constructor of Thread. */
    private static final Map<String, String> MAKE_THREADS = Map.of(
            "io.heddle.transport.listener.EventLoops",
            "Netty keeps buffers and recyclers in the fields of a FastThreadLocalThread, which Thread.ofPlatform cannot create;"
                    + " the constructor that the class uses takes the name");

    static final ArchRule NO_FIELD_INJECTION = noFields()
            .that()
            .areDeclaredInClassesThat()
            .resideInAPackage(ModuleLayers.HEDDLE)
            .should()
            .beAnnotatedWith("org.springframework.beans.factory.annotation.Autowired")
            .orShould()
            .beAnnotatedWith("org.springframework.beans.factory.annotation.Value")
            .orShould()
            .beAnnotatedWith("jakarta.inject.Inject")
            .orShould()
            .beAnnotatedWith("jakarta.annotation.Resource")
            .because(
                    "an object gets its dependencies through its constructor, so that a test can supply them and no field is null")
            .allowEmptyShould(true);

    static final ArchRule NO_SLEEP = noCall(
            Calls.to("java.lang.Thread", "sleep").or(Calls.to("java.util.concurrent.TimeUnit", "sleep")),
            "a sleep only guesses how long an event takes: wait for the event, or schedule a task");

    static final ArchRule NO_WALL_CLOCK = noCall(
            Calls.to("java.lang.System", "currentTimeMillis"),
            "time is injected (a java.time.Clock, or EventLoop.nanoTime for durations), so that a test can let it pass");

    static final ArchRule NO_BARE_THREADS = noCall(
            describe(
                    "a Thread is constructed",
                    access -> Calls.to("java.lang.Thread", "<init>").test(access)
                            && !MAKE_THREADS.containsKey(access.getOriginOwner().getName())),
            "a thread has a name and a known kind: use Thread.ofPlatform().name(...) or Thread.ofVirtual().name(...). List a class"
                    + " that needs another kind, with the reason, in HabitRules.MAKE_THREADS");

    static final ArchRule ASYNCHRONOUS_STEPS_NAME_THEIR_EXECUTOR = noCall(
            describe("an asynchronous step without an executor is called", HabitRules::hasNoExecutor),
            "without an executor the step runs in the common pool, which no component owns, bounds or measures");

    static final ArchRule HOT_PATH_ALLOCATES_NO_CONVENIENCE = noClasses()
            .that(describe("are on the hot path", HabitRules::isOnTheHotPath))
            .should()
            .dependOnClassesThat(describe(
                    "are streams, optionals or regular expressions",
                    type -> type.getPackageName().equals("java.util.stream")
                            || type.getPackageName().equals("java.util.regex")
                            || type.getName().startsWith("java.util.Optional")))
            .orShould()
            .accessTargetWhere(Calls.to(
                    "java.lang.String", "format", "formatted", "split", "matches", "replaceAll", "replaceFirst"))
            .because("classes of the hot path run for each message, and each such call allocates: use loops")
            .allowEmptyShould(true);

    private HabitRules() {}

    private static ArchRule noCall(DescribedPredicate<JavaAccess<?>> call, String reason) {
        return noClasses()
                .that()
                .resideInAPackage(ModuleLayers.HEDDLE)
                .should()
                .accessTargetWhere(call)
                .because(reason)
                .allowEmptyShould(true);
    }

    private static boolean hasNoExecutor(JavaAccess<?> access) {
        return access.getName().endsWith("Async")
                && access.getTargetOwner().isAssignableTo(CompletionStage.class)
                && Calls.withParameters(
                                "no executor",
                                parameters ->
                                        parameters.stream().noneMatch(type -> type.isAssignableTo(Executor.class)))
                        .test(access);
    }

    private static boolean isOnTheHotPath(JavaClass type) {
        if (type.isAnnotatedWith(HotPath.class)) {
            return true;
        }
        Optional<JavaClass> enclosing = type.getEnclosingClass();
        return enclosing.isPresent() && isOnTheHotPath(enclosing.get());
    }
}
