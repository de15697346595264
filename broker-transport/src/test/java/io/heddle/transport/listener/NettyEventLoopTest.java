package io.heddle.transport.listener;

import io.heddle.core.client.EventLoop;
import io.heddle.core.testkit.EventLoopContract;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;

class NettyEventLoopTest extends EventLoopContract {
    private final EventLoops loops = new EventLoops(Transport.AUTO, 1);

    @AfterEach
    void close() {
        loops.close();
    }

    @Override
    protected EventLoop loop() {
        return loops.all().getFirst();
    }

    @Override
    protected void await(BooleanSupplier condition) {
        Awaitility.await().atMost(ServerFixture.PATIENCE).until(condition::getAsBoolean);
    }
}
