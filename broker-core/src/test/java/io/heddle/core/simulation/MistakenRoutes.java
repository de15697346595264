package io.heddle.core.simulation;

import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.node.Forwarding;
import io.heddle.core.delivery.node.MessageNames;
import io.heddle.core.delivery.node.Receipts;
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

    static NodeRoutes of(World world, Incarnation self, NodeRoutes routes) {
        return new NodeRoutes(
                world.has(Mistake.NOT_SETTLED) || world.has(Mistake.GRANTED_BEFORE_WILL)
                        ? new Deciding(world, routes.registrar())
                        : routes.registrar(),
                routes.pushes(),
                new Hasty(world, self, routes.messages()),
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

    private record Hasty(World world, Incarnation self, MessageRouting routing) implements MessageRouting {
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
            return new Forwarding() {
                @Override
                public Prepared prepare(PublishMessage message, RoutingPlan plan, @Nullable MessageName name) {
                    boolean isRepeated = name != null && !name.node().equals(self);
                    if (isRepeated && world.has(Mistake.REPEAT_NOT_SPREAD)) {
                        return () -> null;
                    }
                    MessageName shown = isRepeated && world.has(Mistake.NAME_NOT_CHECKED) ? unknown() : name;
                    Prepared prepared = forwarding.prepare(message, plan, shown);
                    return () -> {
                        Receipts receipts = prepared.send();
                        return world.has(Mistake.RECEIPTS_NOT_AWAITED) ? null : receipts;
                    };
                }

                @Override
                public boolean isHeldUp() {
                    return forwarding.isHeldUp();
                }
            };
        }

        /** A name that no node has delivered. */
        private MessageName unknown() {
            return new MessageName(new Incarnation(self.offset(), world.random().nextInt()), 0, 1);
        }

        @Override
        public void receive(Router router, DirectDelivery direct, SharedRedispatch redispatch, MessageNames names) {
            routing.receive(router, direct, redispatch, names);
        }
    }
}
