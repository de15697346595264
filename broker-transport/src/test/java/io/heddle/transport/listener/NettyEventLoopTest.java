package io.heddle.transport.listener;

import io.heddle.core.client.EventLoop;
import io.heddle.core.testkit.EventLoopContract;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;

class NettyEventLoopTest extends EventLoopContract {
    @AutoClose
    private final EventLoops loops = new EventLoops(Transport.AUTO, 1);

    @Override
    protected EventLoop loop() {
        return loops.all().getFirst();
    }

    @Override
    protected void await(BooleanSupplier condition) {
        Awaitility.await().atMost(ServerFixture.PATIENCE).until(condition::getAsBoolean);
    }
}
