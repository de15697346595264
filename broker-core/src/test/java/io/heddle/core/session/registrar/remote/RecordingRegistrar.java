package io.heddle.core.session.registrar.remote;

import io.heddle.core.client.ClientId;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.LeaveOutcome;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.TransientClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A registrar whose requests a test answers. */
final class RecordingRegistrar implements Registrar {
    /** All calls in their order, each as one line. */
    final List<String> calls = new ArrayList<>();

    final List<CompletableFuture<OpenOutcome>> openings = new ArrayList<>();
    final List<CompletableFuture<LeaveOutcome>> departures = new ArrayList<>();
    final List<CompletableFuture<ChangeOutcome>> changes = new ArrayList<>();
    final List<Departure> left = new ArrayList<>();
    /** The nodes that have announced all their clients. */
    final List<String> announced = new ArrayList<>();

    @Override
    public CompletionStage<OpenOutcome> open(OpenRequest request) {
        calls.add("open " + request.identity().clientId().value());
        openings.add(new CompletableFuture<>());
        return openings.getLast();
    }

    @Override
    public CompletionStage<LeaveOutcome> leave(Departure departure) {
        calls.add("leave " + departure.clientId().value() + " " + departure.epoch());
        left.add(departure);
        departures.add(new CompletableFuture<>());
        return departures.getLast();
    }

    @Override
    public CompletionStage<ChangeOutcome> change(SubscriptionChange change) {
        calls.add("change " + change.clientId().value() + " " + change.epoch());
        changes.add(new CompletableFuture<>());
        return changes.getLast();
    }

    @Override
    public void announce(String node, int bucket, List<TransientClient> clients, boolean isLast) {
        clients.forEach(each -> calls.add("announce " + each.clientId().value() + " " + each.number()));
        if (isLast) {
            announced.add(node);
        }
    }

    @Override
    public void absent(String node, ClientId clientId, long heldEpoch, long beforeEpoch) {
        calls.add("absent " + clientId.value() + " " + heldEpoch + " before " + beforeEpoch);
    }
}
