package io.heddle.app.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitReference;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The methods that a class reaches through any number of calls, in all modules. A call of an interface method or an overridden method
 * reaches all implementations. A lambda that a method of another package passes to an executor runs on the executor's threads and is
 * not followed; neither is the inside of libraries.
 */
final class EventLoopReach extends ArchCondition<JavaClass> {
    private static final List<DescribedPredicate<JavaAccess<?>>> HANDING_OVER = List.of(
            Calls.to("java.util.concurrent.Executor", "execute", "submit", "schedule", "scheduleAtFixedRate"),
            Calls.to("java.lang.Thread$Builder", "start", "unstarted"));

    private final Predicate<JavaClass> startsHere;
    private final Map<String, String> notStarts;
    private final List<DescribedPredicate<JavaAccess<?>>> blocking;
    private final Predicate<JavaClass> blockingType;
    // These reach no blocking call.
    private final Set<JavaCodeUnit> clean = new HashSet<>();

    /**
     * A condition.
     *
     * @param startsHere the classes whose methods run on an event loop; only they are checked
     * @param notStarts methods of such classes, as "class.method", that are called before there are event loops, with their reasons;
     *     a call on an event loop is still reported
     * @param blocking calls that block
     * @param blockingType types of which every call blocks
     */
    EventLoopReach(
            Predicate<JavaClass> startsHere,
            Map<String, String> notStarts,
            List<DescribedPredicate<JavaAccess<?>>> blocking,
            Predicate<JavaClass> blockingType) {
        super("reach nothing that blocks");
        this.startsHere = startsHere;
        this.notStarts = notStarts;
        this.blocking = blocking;
        this.blockingType = blockingType;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        for (JavaCodeUnit start : type.getCodeUnits()) {
            if (!notStarts.containsKey(type.getName() + "." + start.getName())) {
                search(start, events);
            }
        }
    }

    private void search(JavaCodeUnit start, ConditionEvents events) {
        // Each method with its caller, if any.
        Map<JavaCodeUnit, Optional<JavaCodeUnit>> reached = new HashMap<>();
        Deque<JavaCodeUnit> open = new ArrayDeque<>();
        boolean blocked = false;
        reached.put(start, Optional.empty());
        open.add(start);
        while (!open.isEmpty()) {
            JavaCodeUnit unit = open.remove();
            boolean own = startsHere.test(unit.getOwner());
            boolean handsOver = !own && accesses(unit).stream().anyMatch(EventLoopReach::handsOver);
            for (JavaAccess<?> access : accesses(unit)) {
                if (handsOver && (access.isDeclaredInLambda() || access instanceof JavaCodeUnitReference<?>)) {
                    continue;
                }
                if (blocks(access)) {
                    blocked = true;
                    events.add(SimpleConditionEvent.violated(
                            start.getOwner(),
                            path(unit, reached) + " calls " + access.getTarget().getFullName()));
                }
                for (JavaCodeUnit next : targets(access)) {
                    if (!clean.contains(next) && reached.putIfAbsent(next, Optional.of(unit)) == null) {
                        open.add(next);
                    }
                }
            }
        }
        if (!blocked) {
            clean.addAll(reached.keySet());
        }
    }

    private static Collection<JavaAccess<?>> accesses(JavaCodeUnit unit) {
        List<JavaAccess<?>> accesses = new ArrayList<>(unit.getCallsFromSelf());
        accesses.addAll(unit.getCodeUnitReferencesFromSelf());
        return accesses;
    }

    private static boolean handsOver(JavaAccess<?> access) {
        return HANDING_OVER.stream().anyMatch(call -> call.test(access));
    }

    private boolean blocks(JavaAccess<?> access) {
        return blockingType.test(access.getTargetOwner()) || blocking.stream().anyMatch(call -> call.test(access));
    }

    private static List<JavaCodeUnit> targets(JavaAccess<?> access) {
        List<JavaCodeUnit> targets = new ArrayList<>();
        if (!(access.getTarget() instanceof CodeUnitAccessTarget target)) {
            return targets;
        }
        target.resolveMember().filter(EventLoopReach::isOurs).ifPresent(targets::add);
        if (isOurs(access.getTargetOwner())) {
            String[] parameters = target.getRawParameterTypes().stream()
                    .map(JavaClass::getName)
                    .toArray(String[]::new);
            for (JavaClass subtype : access.getTargetOwner().getAllSubclasses()) {
                subtype.tryGetMethod(target.getName(), parameters).ifPresent(targets::add);
            }
        }
        return targets;
    }

    private static boolean isOurs(JavaCodeUnit unit) {
        return isOurs(unit.getOwner());
    }

    private static boolean isOurs(JavaClass type) {
        return type.getPackageName().startsWith("io.heddle.");
    }

    private static String path(JavaCodeUnit last, Map<JavaCodeUnit, Optional<JavaCodeUnit>> reached) {
        Deque<String> names = new ArrayDeque<>();
        Optional<JavaCodeUnit> unit = Optional.of(last);
        while (unit.isPresent()) {
            names.addFirst(unit.get().getFullName());
            unit = reached.getOrDefault(unit.get(), Optional.empty());
        }
        return String.join(" calls ", names);
    }
}
