/**
 * Proxies and load balancers in front of a listener, which report the addresses of its clients.
 *
 * <p>Entry classes: {@link io.heddle.transport.proxy.ProxyHeader} for the PROXY protocol and
 * {@link io.heddle.transport.proxy.ForwardedFor} for the header of HTTP. Both belong to the connection's event loop. Invariant: an address
 * is taken only from a proxy in {@link io.heddle.transport.proxy.TrustedNetworks}, so no client can choose its own.
 */
@NullMarked
package io.heddle.transport.proxy;

import org.jspecify.annotations.NullMarked;
