package io.heddle.core.sys;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

final class SysReadersTest {
    private static final SocketAddress HERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);
    private static final SocketAddress ELSEWHERE = new InetSocketAddress("192.0.2.1", 50_000);
    private static final ClientIdentity ANONYMOUS = new ClientIdentity(new ClientId("c"), ClientType.DEVICE, null);
    private static final ClientIdentity USER = new ClientIdentity(new ClientId("c"), ClientType.DEVICE, "u");
    private static final ClientIdentity NAMED = new ClientIdentity(new ClientId("c"), ClientType.DEVICE, null, true);

    @Test
    void authenticatedReadersHaveCredentialsOrAreOnThisMachine() {
        assertThat(SysReaders.AUTHENTICATED.include(USER, ELSEWHERE)).isTrue();
        assertThat(SysReaders.AUTHENTICATED.include(NAMED, ELSEWHERE)).isTrue();
        assertThat(SysReaders.AUTHENTICATED.include(ANONYMOUS, HERE)).isTrue();
        assertThat(SysReaders.AUTHENTICATED.include(ANONYMOUS, ELSEWHERE)).isFalse();
        assertThat(SysReaders.AUTHENTICATED.include(ANONYMOUS, InetSocketAddress.createUnresolved("localhost", 1)))
                .as("an address without an IP address")
                .isFalse();
    }

    @Test
    void everyoneIncludesAnonymousClientsFromElsewhere() {
        assertThat(SysReaders.EVERYONE.include(ANONYMOUS, ELSEWHERE)).isTrue();
    }

    @Test
    void nobodyIncludesNoClient() {
        assertThat(SysReaders.NOBODY.include(USER, HERE)).isFalse();
    }
}
