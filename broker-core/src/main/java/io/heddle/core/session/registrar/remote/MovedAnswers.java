package io.heddle.core.session.registrar.remote;

import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.OpenOutcome;

/**
 * Recognizes the answers with which the registrar of this node says that it has stopped to decide about a bucket. Such a request was not
 * handled: it is repeated when the view has changed. Stateless, any thread.
 */
public interface MovedAnswers {
    /** A registrar that decides until its node ends. */
    MovedAnswers NONE = new MovedAnswers() {
        @Override
        public boolean isMoved(OpenOutcome outcome) {
            return false;
        }

        @Override
        public boolean isMoved(ChangeOutcome outcome) {
            return false;
        }

        @Override
        public boolean isMoved(Throwable failure) {
            return false;
        }
    };

    /** Returns whether this answer says so. */
    boolean isMoved(OpenOutcome outcome);

    /** Returns whether this answer says so. */
    boolean isMoved(ChangeOutcome outcome);

    /** Returns whether a departure failed for this reason. */
    boolean isMoved(Throwable failure);
}
