package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.delivery.log.OutboundFeed;
import io.heddle.core.delivery.log.OutboundFeed.Fed;
import io.heddle.core.subscription.DeliveryTerms;

/** The messages of a persistent session, from its queue or its log, which keeps them until they are acknowledged. */
@HotPath
final class FedMessages implements OutboundSource {
    private final OutboundFeed feed;

    FedMessages(OutboundFeed feed) {
        this.feed = feed;
    }

    @Override
    public long first() {
        return feed.first();
    }

    @Override
    public long waiting() {
        return feed.waiting();
    }

    @Override
    public boolean isEmpty() {
        return feed.peek() == null;
    }

    /** Nothing of what was taken is held here. */
    @Override
    public boolean mayBeTaken() {
        return true;
    }

    private Fed peek() {
        Fed first = feed.peek();
        if (first == null) {
            throw new IllegalStateException("there is no message");
        }
        return first;
    }

    @Override
    public long sequence() {
        return peek().sequence();
    }

    @Override
    public Outgoing message() {
        Fed first = peek();
        return new Outgoing(
                first.message(),
                first.qos(),
                first.retain(),
                new DeliveryTerms(first.qos(), first.retain(), first.subscriptionIdentifiers()));
    }

    @Override
    public boolean isDuplicate() {
        return peek().duplicate();
    }

    @Override
    public boolean isReceived() {
        return peek().received();
    }

    @Override
    public InFlight take() {
        InFlight taken = SentFromQueue.at(peek().qos());
        feed.take();
        return taken;
    }

    @Override
    public void letGo(InFlight message) {
        // Nothing of it is held here.
    }

    @Override
    public void acknowledged(long sequence) {
        feed.acknowledged(sequence);
    }

    @Override
    public void acknowledgedBelow(long lowest) {
        feed.acknowledgedBelow(lowest);
    }

    @Override
    public void received(long sequence, InFlight message, Runnable remembered) {
        feed.received(sequence, remembered);
    }
}
