package io.heddle.app;

import io.heddle.core.administration.FirstAdministrator;
import io.heddle.core.lifecycle.StartupPhase;
import org.jspecify.annotations.Nullable;

/** Makes sure that somebody can administer the cluster: creates the first administrator when there is none. */
final class Administrator implements StartupPhase {
    private final FirstAdministrator firstAdministrator;
    private volatile @Nullable String generatedPassword;

    Administrator(FirstAdministrator firstAdministrator) {
        this.firstAdministrator = firstAdministrator;
    }

    @Override
    public String name() {
        return "the first administrator";
    }

    @Override
    public void start() {
        generatedPassword = firstAdministrator.createIfNone();
    }

    /** The password, to be shown once and then forgotten; null when the administrator was there before. */
    @Nullable
    String takeGeneratedPassword() {
        String password = generatedPassword;
        generatedPassword = null;
        return password;
    }

    @Override
    public void stop() {
        generatedPassword = null;
    }
}
