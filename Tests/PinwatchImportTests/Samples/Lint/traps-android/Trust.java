package com.example.shop;

import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509TrustManager;

class Trust implements X509TrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        String name = chain[0].getSubjectDN().getName();
        if (!name.contains("api.example.com")) {
            throw new CertificateException();
        }
    }

    static final HostnameVerifier ALL = new HostnameVerifier() {
        public boolean verify(String host, SSLSession session) {
            return true;
        }
    };
}
