package io.heddle.transport.proxy;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Networks whose proxies may report the addresses of clients. Immutable. */
public final class TrustedNetworks {
    /** No network. */
    public static final TrustedNetworks NONE = new TrustedNetworks(List.of());

    private static final int BITS_OF_IPV4 = 32;
    private static final int BITS_OF_IPV6 = 128;

    private final List<IpSubnetFilterRule> networks;

    private TrustedNetworks(List<IpSubnetFilterRule> networks) {
        this.networks = List.copyOf(networks);
    }

    /**
     * @param texts each an address of IPv4 or IPv6, such as 192.0.2.1, or a network in CIDR notation, such as 10.0.0.0/8 or fd00::/8
     * @throws IllegalArgumentException with one sentence if a text is neither
     */
    public static TrustedNetworks parse(List<String> texts) {
        List<IpSubnetFilterRule> networks = new ArrayList<>();
        for (String text : texts) {
            networks.add(parse(text));
        }
        return networks.isEmpty() ? NONE : new TrustedNetworks(networks);
    }

    private static IpSubnetFilterRule parse(String text) {
        int slash = text.indexOf('/');
        String host = slash < 0 ? text : text.substring(0, slash);
        try {
            InetAddress address = InetAddress.ofLiteral(host);
            int bits = address instanceof Inet4Address ? BITS_OF_IPV4 : BITS_OF_IPV6;
            int prefix = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
            if (prefix >= 0 && prefix <= bits && (NetUtil.isValidIpV4Address(host) || bits == BITS_OF_IPV6)) {
                return new IpSubnetFilterRule(address, prefix, IpFilterRuleType.ACCEPT);
            }
        } catch (IllegalArgumentException _) {
            // Neither an address nor a number: the same error.
        }
        throw new IllegalArgumentException(
                "'" + text + "' is not a network: write an address or a network such as 10.0.0.0/8 or fd00::/8");
    }

    public boolean isEmpty() {
        return networks.isEmpty();
    }

    public boolean contains(SocketAddress address) {
        if (address instanceof InetSocketAddress internet && !internet.isUnresolved()) {
            for (int i = 0; i < networks.size(); i++) {
                if (networks.get(i).matches(internet)) {
                    return true;
                }
            }
        }
        return false;
    }
}
