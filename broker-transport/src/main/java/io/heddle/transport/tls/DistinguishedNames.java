package io.heddle.transport.tls;

import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;

/** Reads the subjects of certificates. */
public final class DistinguishedNames {
    private DistinguishedNames() {}

    /** Returns the most specific common name, which is the last one, or an empty text. */
    public static String commonName(X500Principal principal) {
        RDN[] names = X500Name.getInstance(principal.getEncoded()).getRDNs(BCStyle.CN);
        if (names.length == 0) {
            return "";
        }
        // Such a name may have further attributes, in any order.
        for (AttributeTypeAndValue each : names[names.length - 1].getTypesAndValues()) {
            if (each.getType().equals(BCStyle.CN)) {
                return IETFUtils.valueToString(each.getValue());
            }
        }
        return "";
    }
}
