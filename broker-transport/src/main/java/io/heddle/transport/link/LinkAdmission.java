package io.heddle.transport.link;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.View;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/**
 * Decides which links this node accepts: those of members that show the certificate which the log of nodes names for them. Thread-safe.
 *
 * @param fingerprint of this node
 * @param views returns the latest view that this node has read from the log of nodes; any thread
 */
record LinkAdmission(String fingerprint, Supplier<View> views) {
    /** The answer to the first message of a link. */
    sealed interface Answer {}

    record Admitted() implements Answer {}

    /**
     * The sender tries again until the log of nodes tells it that one of the two incarnations has ended.
     *
     * @param reason for the sender and for the operator
     */
    record Refused(Cause cause, String reason) implements Answer {}

    /** The causes of refusals, for the metrics. */
    enum Cause {
        VERSION,
        NOT_ADDRESSED,
        UNKNOWN,
        ENDED,
        CERTIFICATE,
        SILENT,
        CROWDED
    }

    Answer answer(Hello hello, String peerFingerprint) {
        if (!hello.isUnderstood()) {
            return new Refused(
                    Cause.VERSION, "this node speaks version " + Hello.VERSION + " of the link protocol only");
        }
        View view = views.get();
        Member addressed = view.member(hello.to());
        if (addressed == null || !addressed.node().link().fingerprint().equals(fingerprint)) {
            return new Refused(Cause.NOT_ADDRESSED, "this node is not incarnation " + hello.to());
        }
        Member sender = view.member(hello.from());
        if (sender == null) {
            return hello.from().offset() < view.next()
                    ? new Refused(Cause.ENDED, "incarnation " + hello.from() + " has left or was declared dead")
                    : new Refused(Cause.UNKNOWN, "incarnation " + hello.from() + " is not known here yet");
        }
        if (peerFingerprint.isEmpty() || !sender.node().link().fingerprint().equals(peerFingerprint)) {
            return new Refused(
                    Cause.CERTIFICATE,
                    "the certificate is not the one that incarnation " + hello.from() + " has named");
        }
        return new Admitted();
    }

    boolean isAddressOfMember(InetAddress address) {
        for (Member each : views.get().members()) {
            InetSocketAddress own = LinkAddress.parse(each.node().link().address());
            if (own != null && own.getAddress().equals(address)) {
                return true;
            }
        }
        return false;
    }

    boolean isMember(Incarnation incarnation) {
        return views.get().isMember(incarnation);
    }
}
