package io.heddle.core.session;

import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.client.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Applies changed rules to the clients that are connected to this node. Thread-safe. */
public final class RuleEnforcement {
    private static final int CLIENTS_PER_STEP = 16;

    private RuleEnforcement() {}

    /** Applies each later change of the rules. */
    public static void of(LocalSessions sessions, ActiveRules rules) {
        rules.onChange(() -> apply(sessions));
    }

    /** A client that connects meanwhile takes the new rules when it has its session. */
    private static CompletionStage<Void> apply(LocalSessions sessions) {
        Map<EventLoop, List<ClientSession>> byLoop = new HashMap<>();
        for (ClientSession each : sessions.all()) {
            byLoop.computeIfAbsent(each.eventLoop(), _ -> new ArrayList<>()).add(each);
        }
        List<CompletableFuture<Void>> done = new ArrayList<>();
        byLoop.forEach((loop, clients) -> done.add(apply(loop, clients.iterator())));
        return CompletableFuture.allOf(done.toArray(CompletableFuture<?>[]::new));
    }

    private static CompletableFuture<Void> apply(EventLoop loop, Iterator<ClientSession> clients) {
        CompletableFuture<Void> visited = new CompletableFuture<>();
        List<CompletableFuture<Void>> changes = new ArrayList<>();
        loop.execute(() -> loop.inBackground(() -> {
            for (int i = 0; i < CLIENTS_PER_STEP && clients.hasNext(); i++) {
                CompletableFuture<Void> change = clients.next().refreshRules().toCompletableFuture();
                if (!change.isDone()) {
                    changes.add(change);
                }
            }
            if (!clients.hasNext()) {
                visited.complete(null);
            }
            return clients.hasNext();
        }));
        return visited.thenCompose(_ -> CompletableFuture.allOf(changes.toArray(CompletableFuture<?>[]::new)));
    }
}
