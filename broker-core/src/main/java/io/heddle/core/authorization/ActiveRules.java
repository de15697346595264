package io.heddle.core.authorization;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The rules that this node applies now. Thread-safe: {@link #current} may be called on any thread, the others lock. */
public final class ActiveRules {
    private volatile RuleSet current;
    // Guarded by this.
    private final List<Supplier<CompletionStage<Void>>> listeners = new ArrayList<>();
    private long version;
    private CompletionStage<Void> applied = CompletableFuture.completedStage(null);
    // Completes at the next change.
    private CompletableFuture<Void> changed = new CompletableFuture<>();

    /** @param initial the rules until the first {@link #apply} */
    public ActiveRules(RuleSet initial) {
        this.current = initial;
    }

    public RuleSet current() {
        return current;
    }

    /** Returns the version of the rules; 0 if none were applied. */
    public synchronized long version() {
        return version;
    }

    /**
     * Adds a step of each later change, which applies the rules to what lives.
     *
     * @param step must not block; its result must not fail
     */
    public synchronized void onChange(Supplier<CompletionStage<Void>> step) {
        listeners.add(step);
    }

    /** Applies rules, unless their version is not above the present one. */
    public void apply(long newVersion, RuleSet rules) {
        CompletableFuture<Void> wasChanged;
        synchronized (this) {
            if (newVersion <= version) {
                return;
            }
            version = newVersion;
            current = rules;
            for (Supplier<CompletionStage<Void>> each : listeners) {
                CompletionStage<Void> step = each.get();
                applied = applied.thenCompose(_ -> step);
            }
            wasChanged = changed;
            changed = new CompletableFuture<>();
        }
        wasChanged.complete(null);
    }

    /** Returns a result that completes when these rules, or later ones, are applied to everything that lives on this node. */
    public synchronized CompletionStage<Void> whenApplied(long ofVersion) {
        return ofVersion <= version ? applied : changed.thenCompose(_ -> whenApplied(ofVersion));
    }
}
