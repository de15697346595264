package io.heddle.perf.load.flood;

/** Clients that try one wrong password after the other, each on a new connection. */
public final class WrongPasswords implements Flood {
    private final Crowd crowd;
    private long attempts;

    /** Clients that all give the same user name. */
    public WrongPasswords(AttackContext context, int sockets, String username) {
        crowd = new Crowd(
                context,
                sockets,
                new Surprised(),
                number -> context.clients()
                        .withCredentials(username, "wrong-" + number + "-" + attempts++)
                        .transientClient("wrong-" + number, null));
    }

    @Override
    public boolean turn(long nowNanos) {
        crowd.turn(nowNanos);
        return false;
    }

    /** A broker that takes any password is not attacked by wrong ones: it is seen in the count of connections. */
    private static final class Surprised implements Conduct {
        @Override
        public void ready(Attacker attacker) {
            attacker.cut();
        }
    }
}
