package io.heddle.core.simulation;

import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.node.Forwarding;
import io.heddle.core.delivery.node.MessageNames;
import io.heddle.core.delivery.node.SharedRedispatch;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.node.MessageRouting;
import io.heddle.core.node.NodeRoutes;
import io.heddle.core.routing.Router;
import io.heddle.core.routing.RoutingPlan;
import io.heddle.core.routing.interest.TransientInterest;
import io.heddle.core.session.registrar.ConnectedClients;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.remote.RegistrarRouting;
import io.heddle.core.session.registrar.settlement.Settlement;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.testkit.SettledAtOnce;
import org.jspecify.annotations.Nullable;

/** The ways of a node to the others, with the planted mistakes of the run. */
final class MistakenRoutes {
    private MistakenRoutes() {}

    static NodeRoutes of(World world, NodeRoutes routes) {
        return new NodeRoutes(
                world.has(Mistake.NOT_SETTLED) || world.has(Mistake.GRANTED_BEFORE_WILL)
                        ? new Deciding(world, routes.registrar())
                        : routes.registrar(),
                routes.pushes(),
                world.has(Mistake.INTEREST_NOT_AWAITED) || world.has(Mistake.RECEIPTS_NOT_AWAITED)
                        ? new Hasty(world, routes.messages())
                        : routes.messages(),
                routes.writers(),
                routes.buckets());
    }

    private static final class Deciding implements RegistrarRouting {
        private final World world;
        private final RegistrarRouting routing;
        private @Nullable Registrar registrar;

        Deciding(World world, RegistrarRouting routing) {
            this.world = world;
            this.routing = routing;
        }

        @Override
        public ConnectedClients connections(ConnectedClients own) {
            ConnectedClients connections = routing.connections(own);
            return (node, clientId, epoch) -> {
                connections.close(node, clientId, epoch);
                Registrar decides = registrar;
                if (decides != null && world.has(Mistake.GRANTED_BEFORE_WILL)) {
                    var _ = decides.leave(Departure.ofTransient(clientId, epoch));
                }
            };
        }

        @Override
        public Settlement settlement() {
            return world.has(Mistake.NOT_SETTLED) ? SettledAtOnce.settlement() : routing.settlement();
        }

        @Override
        public Registrar registrar(Registrar own) {
            registrar = own;
            return routing.registrar(own);
        }
    }

    private record Hasty(World world, MessageRouting routing) implements MessageRouting {
        @Override
        public TransientInterest interest() {
            TransientInterest interest = routing.interest();
            if (!world.has(Mistake.INTEREST_NOT_AWAITED)) {
                return interest;
            }
            return new TransientInterest() {
                @Override
                public void changed(@Nullable Subscription before, @Nullable Subscription after) {
                    interest.changed(before, after);
                }

                @Override
                public void whenKnown(EventLoop eventLoop, Runnable known) {
                    known.run();
                }
            };
        }

        @Override
        public Forwarding forwarding() {
            Forwarding forwarding = routing.forwarding();
            if (!world.has(Mistake.RECEIPTS_NOT_AWAITED)) {
                return forwarding;
            }
            return new Forwarding() {
                @Override
                public Prepared prepare(PublishMessage message, RoutingPlan plan, @Nullable MessageName name) {
                    Prepared prepared = forwarding.prepare(message, plan, name);
                    return () -> {
                        var _ = prepared.send();
                        return null;
                    };
                }

                @Override
                public boolean isHeldUp() {
                    return forwarding.isHeldUp();
                }
            };
        }

        @Override
        public void receive(Router router, DirectDelivery direct, SharedRedispatch redispatch, MessageNames names) {
            routing.receive(router, direct, redispatch, names);
        }
    }
}
