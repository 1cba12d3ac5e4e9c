import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.CertificatePinner;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/**
 * What the real OkHttp makes of pins: one case a line on stdin, one answer a line on stdout, in one process.
 *
 * A case is fields in base64, a tab between them: port, host, file of the anchors ("" for a manager that trusts all and
 * names none), then a pattern and a pin by turns. An answer is the verdict and what the client said, a tab between them.
 */
public final class Differential {
    /** Thrown once a connection is up, in place of a request. */
    private static final class Connected extends IOException {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<String> fields = Arrays.asList(line.split("\t", -1));
            fields.replaceAll(field -> new String(Base64.getDecoder().decode(field), StandardCharsets.UTF_8));
            System.out.println(answer(fields).replaceAll("\\R", " "));
        }
    }

    private static String answer(List<String> fields) throws Exception {
        HttpUrl url = new HttpUrl.Builder()
            .scheme("https").host(fields.get(1)).port(Integer.parseInt(fields.get(0))).build();
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        try {
            for (int next = 3; next < fields.size(); next += 2) {
                builder.add(fields.get(next), fields.get(next + 1));
            }
        } catch (RuntimeException problem) {
            return "config_error\t" + problem;
        }
        CertificatePinner pinner = builder.build();
        try {
            connect(url, pinner, trust(fields.get(2)));
            return "failed\tno answer was expected";
        } catch (Connected connected) {
            return (isPinned(pinner, url.host()) ? "accept" : "unpinned") + "\tconnected";
        } catch (SSLPeerUnverifiedException problem) {
            boolean byPins = problem.getMessage().startsWith("Certificate pinning failure!");
            return (byPins ? "reject_pin" : "reject_chain") + "\t" + problem.getMessage();
        } catch (SSLException problem) {
            return "reject_chain\t" + problem.getMessage();
        } catch (IOException problem) {
            return "failed\t" + problem;
        }
    }

    private static void connect(HttpUrl url, CertificatePinner pinner, X509TrustManager trust) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {trust}, null);
        new OkHttpClient.Builder()
            .dns(host -> Collections.singletonList(InetAddress.getByName("127.0.0.1")))
            .sslSocketFactory(context.getSocketFactory(), trust)
            .certificatePinner(pinner)
            .retryOnConnectionFailure(false)
            .addNetworkInterceptor(chain -> {
                throw new Connected();
            })
            .build().newCall(new Request.Builder().url(url).build()).execute();
    }

    private static boolean isPinned(CertificatePinner pinner, String host) throws Exception {
        Method matching = CertificatePinner.class.getDeclaredMethod("findMatchingPins", String.class);
        matching.setAccessible(true);
        return !((List<?>) matching.invoke(pinner, host)).isEmpty();
    }

    private static X509TrustManager trust(String anchors) throws Exception {
        if (anchors.isEmpty()) {
            return new TrustAll();
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream pem = Files.newInputStream(Path.of(anchors))) {
            for (Certificate anchor : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("anchor " + store.size(), anchor);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return (X509TrustManager) factory.getTrustManagers()[0];
    }

    private static final class TrustAll implements X509TrustManager {
        @Override public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
