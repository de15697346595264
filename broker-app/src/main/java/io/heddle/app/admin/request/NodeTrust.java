package io.heddle.app.admin.request;

import io.heddle.core.lifecycle.StartupException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Trust in a node whose certificate a command cannot check. */
final class NodeTrust {
    private NodeTrust() {}

    /** Trusts each certificate with any name, for an address of which another proof exists. */
    static SSLContext ofAnyCertificate() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new AnyCertificate()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new StartupException("This Java does not support TLS (" + e.getMessage() + "): use another one", e);
        }
    }

    private static final class AnyCertificate extends X509ExtendedTrustManager {
        @Override
        public void checkServerTrusted(
                X509Certificate @Nullable [] chain, @Nullable String type, @Nullable SSLEngine engine) {}

        @Override
        public void checkServerTrusted(
                X509Certificate @Nullable [] chain, @Nullable String type, @Nullable Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate @Nullable [] chain, @Nullable String type) {}

        @Override
        public void checkClientTrusted(
                X509Certificate @Nullable [] chain, @Nullable String type, @Nullable SSLEngine engine) {}

        @Override
        public void checkClientTrusted(
                X509Certificate @Nullable [] chain, @Nullable String type, @Nullable Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate @Nullable [] chain, @Nullable String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
