package io.heddle.app.sys;

import io.heddle.core.lifecycle.Housekeeping;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.sys.SysReaders;
import io.heddle.core.sys.SysStatus;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Updates the topics about the broker before clients connect and then at an interval. Started and stopped by one thread at a time. */
public final class SysStatusUpdates implements StartupPhase {
    private final SysSettings settings;
    private final Supplier<SysStatus> status;
    private @Nullable Housekeeping updates;

    /** @param status constructed when the event loops run */
    public SysStatusUpdates(SysSettings settings, Supplier<SysStatus> status) {
        this.settings = settings;
        this.status = status;
    }

    @Override
    public String name() {
        return "the topics about the broker";
    }

    @Override
    public void start() {
        if (settings.interval().isZero() || settings.readableBy() == SysReaders.NOBODY) {
            return;
        }
        SysStatus started = status.get();
        started.run();
        Housekeeping thread = new Housekeeping("sys-topics", settings.interval(), started::run);
        thread.start();
        updates = thread;
    }

    @Override
    public void stop() {
        Housekeeping thread = updates;
        updates = null;
        if (thread != null) {
            thread.stop();
        }
    }
}
