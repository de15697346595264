package io.heddle.perf.load.flood;

/** Clients that try many wrong passwords, each on a new connection. */
public final class WrongPasswords implements Flood {
    private final AttackerPool pool;
    private long attempts;

    /** Clients with the same user name. */
    public WrongPasswords(AttackContext context, int sockets, String username) {
        pool = new AttackerPool(
                context,
                sockets,
                new AcceptedClient(),
                number -> context.clients()
                        .withCredentials(username, "wrong-" + number + "-" + attempts++)
                        .transientClient("wrong-" + number, null));
    }

    @Override
    public boolean turn(long nowNanos) {
        pool.turn(nowNanos);
        return false;
    }

    /** Disconnects a client that a broker without password checks has accepted; the count of connections shows it. */
    private static final class AcceptedClient implements AttackerBehaviour {
        @Override
        public void onReady(Attacker attacker) {
            attacker.cut();
        }
    }
}
