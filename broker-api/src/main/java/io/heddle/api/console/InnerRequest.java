package io.heddle.api.console;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.StringReader;
import java.net.URI;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;

/**
 * A GET request within the request for a page. It has the connection of that request, but its own address, parameters and attributes, no body,
 * and neither cookies nor credentials: {@link Rest} hands over the administrator. So it reads nothing of the outer request that another thread
 * may change.
 */
final class InnerRequest extends HttpServletRequestWrapper {
    private final URI address;
    private final Map<String, String> parameters;
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private final String remoteAddress;

    InnerRequest(HttpServletRequest page, URI address, Map<String, String> parameters) {
        super(page);
        this.address = address;
        this.parameters = parameters;
        // Tomcat finds it when it is first asked, so ask on the thread of the page.
        this.remoteAddress = page.getRemoteAddr();
    }

    @Override
    public String getMethod() {
        return HttpMethod.GET.name();
    }

    @Override
    public String getRequestURI() {
        return address.getRawPath();
    }

    @Override
    public StringBuffer getRequestURL() {
        return new StringBuffer(address.getRawPath());
    }

    @Override
    public String getServletPath() {
        return address.getPath();
    }

    @Override
    public String getContextPath() {
        return "";
    }

    @Override
    public @Nullable String getPathInfo() {
        return null;
    }

    @Override
    public @Nullable String getQueryString() {
        return address.getRawQuery();
    }

    @Override
    public DispatcherType getDispatcherType() {
        return DispatcherType.REQUEST;
    }

    @Override
    public @Nullable String getParameter(String name) {
        return parameters.get(name);
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        return parameters.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> new String[] {entry.getValue()}));
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(parameters.keySet());
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        String value = parameters.get(name);
        return value == null ? null : new String[] {value};
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return attributes.get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return Collections.enumeration(attributes.keySet());
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        if (value == null) {
            attributes.remove(name);
        } else {
            attributes.put(name, value);
        }
    }

    @Override
    public void removeAttribute(String name) {
        attributes.remove(name);
    }

    @Override
    public @Nullable String getHeader(String name) {
        return HttpHeaders.ACCEPT.equalsIgnoreCase(name) ? MediaType.APPLICATION_JSON_VALUE : null;
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        String value = getHeader(name);
        return Collections.enumeration(value == null ? List.of() : List.of(value));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return Collections.enumeration(List.of(HttpHeaders.ACCEPT));
    }

    @Override
    public int getIntHeader(String name) {
        return -1;
    }

    @Override
    public long getDateHeader(String name) {
        return -1;
    }

    @Override
    public Cookie[] getCookies() {
        return new Cookie[0];
    }

    @Override
    public Locale getLocale() {
        return Locale.ROOT;
    }

    @Override
    public Enumeration<Locale> getLocales() {
        return Collections.enumeration(List.of(Locale.ROOT));
    }

    @Override
    public String getRemoteAddr() {
        return remoteAddress;
    }

    @Override
    public @Nullable String getContentType() {
        return null;
    }

    @Override
    public int getContentLength() {
        return 0;
    }

    @Override
    public long getContentLengthLong() {
        return 0;
    }

    @Override
    public ServletInputStream getInputStream() {
        return new NoBody();
    }

    @Override
    public BufferedReader getReader() {
        return new BufferedReader(new StringReader(""));
    }

    @Override
    public boolean isAsyncSupported() {
        return false;
    }

    @Override
    public boolean isAsyncStarted() {
        return false;
    }

    @Override
    public AsyncContext startAsync() {
        throw new IllegalStateException("a page shows nothing that is answered later");
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return startAsync();
    }

    private static final class NoBody extends ServletInputStream {
        @Override
        public int read() {
            return -1;
        }

        @Override
        public boolean isFinished() {
            return true;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("there is nothing to wait for");
        }
    }
}
