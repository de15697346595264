package io.heddle.transport.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * @param chain the certificate, followed by those of its intermediate authorities
 * @param names DNS names of the certificate in lower case, which may begin with {@code *.}, and IP addresses
 * @param files where it is from
 */
public record ServerKey(PrivateKey key, List<X509Certificate> chain, List<String> names, KeyFiles files) {
    public ServerKey {
        chain = List.copyOf(chain);
        names = List.copyOf(names);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a key needs a certificate");
        }
    }

    public X509Certificate certificate() {
        return chain.getFirst();
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "ServerKey[names=" + names + ", files=" + files + "]";
    }
}
